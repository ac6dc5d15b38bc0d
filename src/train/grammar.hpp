// One sentence of each task, before the split. Private to `train`.
#pragma once

#include "train/language.hpp"

namespace train {

Sentence make_language_sentence(Random& random);
Sentence make_copy(Random& random);
Sentence make_brackets(Random& random);
Sentence make_sorting(Random& random);

}  // namespace train
