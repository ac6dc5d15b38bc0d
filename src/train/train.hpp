// Toy tasks and their language, the tiny transformer, the optimiser: what a model is trained on and how.
#pragma once

#include "train/fast.hpp"
#include "train/language.hpp"
#include "train/model.hpp"
