// Generated questions about shapes, counts, roles and pruning.
#include "app/practice_facts.hpp"

namespace app {
namespace {

constexpr MadeType kMakers[] = {
    {{"shape", "Shape", "a shape"}, make_shape},
    {{"split", "Split", "the width of a head"}, make_split},
    {{"count", "Count", "parameters of attention"}, make_count},
    {{"ffn", "FFN", "feed-forward parameters"}, make_feed_forward},
    {{"maps", "Maps", "attention maps and weights"}, make_maps},
    {{"role", "Role", "what a head looks for"}, make_role},
    {{"prune", "Prune", "which head to prune"}, make_prune},
};

}  // namespace

std::span<const MadeType> other_makers() { return kMakers; }

}  // namespace app
