#include "sim/core/solver_options.h"

namespace pericenter {
namespace {

constexpr std::array kWalks = {
    SolverOptionValue{
        "group", "groups of bodies",
        "Up to 64 bodies that lie together walk once for all of them: few tests, long lists, full vectors."},
    SolverOptionValue{
        "warp", "warps",
        "The 32 lanes of a warp visit every node that one of them needs: reads are shared, but lanes that do "
        "not need the node wait. It pays only when they are neighbours."},
    SolverOptionValue{"skip", "one by one, skip links",
                      "Each body walks alone; a link leads past every subtree that it does not open."},
    SolverOptionValue{
        "climb", "one by one, up and down",
        "Each body walks alone, with links to the first child and to the parent only: the way past a subtree "
        "is found by climbing."},
    SolverOptionValue{"stack", "one by one, stack",
                      "Each body walks alone and keeps a stack of the nodes that it has still to visit."},
};

constexpr std::array kOrders = {
    SolverOptionValue{"tree", "order of the tree",
                      "Neighbours in space walk side by side: they read the same nodes, which the cache then has."},
    SolverOptionValue{"morton", "Morton order", "Bodies are sorted along a Z-shaped curve, by keys of all bits."},
    SolverOptionValue{"morton-10", "Morton order, 10 bits",
                      "Keys of 10 bits an axis: a cheaper sort, but what lies in one of these cells stays unsorted."},
    SolverOptionValue{"none", "as they were given", "No order: as scene or file has the bodies."},
    SolverOptionValue{
        "shuffled", "shuffled",
        "At random, the worst case: neighbouring walks have nothing in common, and each waits for the others."},
    SolverOptionValue{"regular", "row after row",
                      "Along the rows of a regular grid: neighbours in one direction, strangers in the others."},
};

constexpr std::array kDepths = {
    SolverOptionValue{"full", "unlimited", "As deep as the keys tell cells apart: 21 levels in 3D, 31 in 2D.", 0},
    SolverOptionValue{"16", "16", "Bodies that share a cell of level 16 stay together in it.", 16},
    SolverOptionValue{"12", "12", "Bodies that share a cell of level 12 stay together in it.", 12},
    SolverOptionValue{"10", "10", "Bodies that share a cell of level 10 stay together in it.", 10},
    SolverOptionValue{"9", "9", "Bodies that share a cell of level 9 stay together in it.", 9},
    SolverOptionValue{"8", "8", "Bodies that share a cell of level 8 stay together in it.", 8},
    SolverOptionValue{"7", "7", "Bodies that share a cell of level 7 stay together in it.", 7},
    SolverOptionValue{"6", "6", "Bodies that share a cell of level 6 stay together in it.", 6},
    SolverOptionValue{"5", "5", "At most 1,365 cells in 2D: they fit into the shared memory of large GPUs.", 5},
    SolverOptionValue{"4", "4", "At most 341 cells in 2D: they fit into the shared memory of every GPU.", 4},
    SolverOptionValue{"3", "3", "At most 85 cells in 2D, and long lists of bodies in each.", 3},
    SolverOptionValue{"2", "2", "Nearly the direct sum.", 2},
    SolverOptionValue{"1", "1", "The direct sum, but for the farthest bodies.", 1},
};

constexpr std::array kNodes = {
    SolverOptionValue{"compact", "compact",
                      "What a walk needs and no more, aligned: 32 bytes in single precision, one read of the memory."},
    SolverOptionValue{"full", "full",
                      "With bounds and moments, as the builder has it: three times as many bytes to read."},
};

constexpr std::array kUpperLevels = {
    SolverOptionValue{
        "shared", "shared memory",
        "Every walk begins with the same cells, 85 in 2D or 73 in 3D: each block of threads keeps them beside "
        "its processor."},
    SolverOptionValue{"global", "global memory", "Like all other nodes, and left to the cache."},
};

constexpr std::array kBlocks = {
    SolverOptionValue{"64", "64 threads", "Many small blocks.", 64},
    SolverOptionValue{"128", "128 threads", "Four warps a block.", 128},
    SolverOptionValue{"256", "256 threads", "Eight warps a block.", 256},
    SolverOptionValue{"512", "512 threads", "Few large blocks: the slowest warp of each keeps the others' place.", 512},
};

constexpr std::array kHostMemories = {
    SolverOptionValue{"pinned", "pinned", "Page-locked memory: the GPU copies from it by itself, at full speed."},
    SolverOptionValue{"pageable", "pageable",
                      "Ordinary memory: the driver copies everything once more, and the processor waits for it."},
};

constexpr std::array kStreams = {
    SolverOptionValue{"2", "two", "Copies in both directions and kernels overlap.", 2},
    SolverOptionValue{"1", "one", "One thing after the other.", 1},
};

constexpr std::array kBuffers = {
    SolverOptionValue{"kept", "kept", "Allocated once."},
    SolverOptionValue{"per-step", "made for each step", "Allocated and freed in every step, which makes the GPU wait."},
};

constexpr std::array kIntegrations = {
    SolverOptionValue{"gpu", "on the GPU", "Kick and drift where the accelerations are."},
    SolverOptionValue{"cpu", "on the CPU", "Accelerations go to the host and positions come back in every step."},
};

constexpr std::array kSharedTrees = {
    SolverOptionValue{
        "conflict-free", "field by field",
        "The whole tree in shared memory, one field of all cells after the other: neighbouring threads copy "
        "neighbouring words, and reads seldom meet in one bank."},
    SolverOptionValue{
        "plain", "cell by cell",
        "The whole tree in shared memory as it lies in global memory: threads copy far from each other, and "
        "reads of different cells meet in the same banks."},
    SolverOptionValue{"none", "not at all", "The tree stays in global memory."},
};

constexpr std::array kGpuThreads = {
    SolverOptionValue{"all", "one a body", "As many threads as there are bodies.", 0},
    SolverOptionValue{"1", "1", "A single thread does everything: what a GPU's core is worth alone.", 1},
    SolverOptionValue{"2", "2", "Two threads share the bodies.", 2},
    SolverOptionValue{"4", "4", "Four threads share the bodies.", 4},
    SolverOptionValue{"8", "8", "Eight threads share the bodies.", 8},
    SolverOptionValue{"16", "16", "Half a warp shares the bodies.", 16},
    SolverOptionValue{"32", "32", "One warp shares the bodies.", 32},
    SolverOptionValue{"64", "64", "Two warps share the bodies.", 64},
    SolverOptionValue{"128", "128", "One block of 128 threads shares the bodies.", 128},
    SolverOptionValue{"256", "256", "256 threads share the bodies.", 256},
    SolverOptionValue{"512", "512", "512 threads share the bodies.", 512},
    SolverOptionValue{"1024", "1,024", "1,024 threads share the bodies.", 1024},
    SolverOptionValue{"2048", "2,048", "2,048 threads share the bodies.", 2048},
    SolverOptionValue{"4096", "4,096", "4,096 threads share the bodies.", 4096},
    SolverOptionValue{"8192", "8,192", "8,192 threads share the bodies.", 8192},
    SolverOptionValue{"16384", "16,384", "16,384 threads share the bodies.", 16384},
    SolverOptionValue{"32768", "32,768", "32,768 threads share the bodies.", 32768},
};

constexpr std::array kExpansions = {
    SolverOptionValue{"3", "3",
                      "The least work for a pair of cells, and four times the error of order 4 at the same theta.", 3},
    SolverOptionValue{"4", "4", "For errors above a thousandth as fast as order 5.", 4},
    SolverOptionValue{
        "5", "5",
        "Twice the work of order 4 for a pair of cells and a third of its error: on the CPU the fastest for small "
        "errors, with a larger theta.",
        5},
};

constexpr std::array kOpenings = {
    SolverOptionValue{
        "angle", "by angle θ",
        "Cells that look small from each other act as wholes. The error follows from θ, and differs from scene to "
        "scene."},
    SolverOptionValue{
        "error", "by error",
        "Cells act as wholes where the error of that is small against the acceleration. What is set is the mean error, "
        "whatever the scene and the order of expansions."},
};

constexpr std::array<SolverOptionInfo, kSolverOptionCount> kOptions = {{
    {"walk", "Walk", "How the tree is walked, and by how many bodies together.", kWalks},
    {"order", "Order of walks", "Which bodies walk side by side. It changes nothing but the speed.", kOrders},
    {"depth", "Depth", "Levels of cells below the root; bodies that share one of the last level stay together.",
     kDepths},
    {"node", "Nodes", "What a node of the tree on the GPU consists of.", kNodes},
    {"upper-levels", "Upper levels", "Where the walk finds the cells that all walks begin with.", kUpperLevels},
    {"block", "Block", "Threads that the GPU starts, and ends, together.", kBlocks},
    {"host-memory", "Host memory", "From which memory tree and bodies are copied to the GPU.", kHostMemories},
    {"streams", "Streams", "Queues of work for the GPU.", kStreams},
    {"buffers", "Buffers", "Whether the memory for tree and bodies is kept from step to step.", kBuffers},
    {"integration", "Kick and drift", "Where bodies are moved.", kIntegrations},
    {"shared-tree", "Shared tree",
     "Whether each block of threads first copies the whole tree beside its processor. Only if it fits there.",
     kSharedTrees},
    {"gpu-threads", "GPU threads", "Threads that share the bodies among them: with T of them, each takes every T-th.",
     kGpuThreads},
    {"expansion", "Expansion order",
     "Powers of size over distance up to which far cells are exact. A higher order costs more for each pair of cells "
     "and "
     "lets theta be larger.",
     kExpansions},
    {"opening", "Opening", "What decides whether cells act on cells as wholes, or are opened.", kOpenings},
}};

}  // namespace

const SolverOptionInfo& solver_option_info(SolverOption which) {
  return kOptions[static_cast<std::size_t>(which)];
}

}  // namespace pericenter
