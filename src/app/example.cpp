// The worked example that ships: two tokens, three heads, every number small enough to check by hand.
#include "app/app.hpp"

namespace app {
namespace {

using Numbers = attention::Matrix<double>;

template <int rows, int cols>
Numbers matrix(const double (&values)[rows][cols]) {
  Numbers result(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) result(i, j) = values[i][j];
  return result;
}

using HeadWeights = attention::HeadWeights<double>;

// Rows: noun, verb, animal, action, first, second.

HeadWeights syntax() {  // a verb looks for its subject
  HeadWeights head;
  head.W_Q = matrix<6, 2>({{0, 1}, {2, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}});
  head.W_K = matrix<6, 2>({{2, 0}, {0, 1}, {0, 0}, {0, 0}, {0, 0}, {0, 0}});
  head.W_V = matrix<6, 2>({{2, 0}, {0, 1}, {0, 1}, {1, -1}, {0, 0}, {0, 0}});
  return head;
}

HeadWeights semantics() {  // a token looks for its own kind of meaning
  HeadWeights head;
  head.W_Q = matrix<6, 2>({{0, 0}, {0, 0}, {3, 1}, {1, 3}, {0, 0}, {0, 0}});
  head.W_K = matrix<6, 2>({{0, 0}, {0, 0}, {1, 0}, {0, 1}, {0, 0}, {0, 0}});
  head.W_V = matrix<6, 2>({{0, 0}, {0, 0}, {1, 2}, {2, -1}, {0, 0}, {0, 0}});
  return head;
}

HeadWeights position() {  // every token looks at the first place
  HeadWeights head;
  head.W_Q = matrix<6, 2>({{0, 0}, {0, 0}, {0, 0}, {0, 0}, {2, 0}, {2, 0}});
  head.W_K = matrix<6, 2>({{0, 0}, {0, 0}, {0, 0}, {0, 0}, {2, 0}, {0, 1}});
  head.W_V = matrix<6, 2>({{0, 1}, {1, 0}, {0, 0}, {0, 0}, {3, 0}, {0, 2}});
  return head;
}

Document make() {
  Document document;
  document.tokens = {"dogs", "bark"};
  document.features = {"noun", "verb", "animal", "action", "first", "second"};
  document.head_names = {"syntax", "semantics", "position"};
  document.config = {.n_q = 2, .n_k = 2, .d_model = 6, .h = 3, .d_k = 2, .d_v = 2};
  document.input.X = matrix<2, 6>({{1, 0, 1, 0, 1, 0}, {0, 1, 0, 1, 0, 1}});
  document.weights.heads = {syntax(), semantics(), position()};
  document.weights.W_O = matrix<6, 6>({{1, 0, 0, 1, 0, 0},
                                       {0, 1, 0, 0, 1, 0},
                                       {0, 0, 1, 0, 0, 1},
                                       {1, 0, 0, -1, 0, 0},
                                       {0, 1, 0, 0, -1, 0},
                                       {0, 0, 1, 0, 0, -1}});
  return document;
}

}  // namespace

const Document& example() {
  static const Document document = make();
  return document;
}

}  // namespace app
