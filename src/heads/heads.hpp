// What heads of trained models do: models and attention files, their table of roles, and training as one watches it.
#pragma once

#include "heads/attention_file.hpp"
#include "heads/course.hpp"
#include "heads/model.hpp"
#include "heads/studio.hpp"
#include "heads/table.hpp"
