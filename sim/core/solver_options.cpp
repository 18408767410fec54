#include "sim/core/solver_options.h"

namespace pericenter {
namespace {

constexpr std::array kWalks = {
    SolverOptionValue{
        "group", "group walk",
        "Up to 64 adjacent bodies share one walk. The resulting lists of cells and bodies are evaluated with "
        "full SIMD vectors or warps."},
    SolverOptionValue{
        "warp", "warp walk",
        "The 32 lanes of a warp visit every node that one of them needs. Memory reads are shared; lanes that "
        "do not need the node are idle, so it is slow unless the bodies of a warp are neighbours."},
    SolverOptionValue{"skip", "per body, skip links",
                      "One walk per body. A skip link leads past each subtree that is not opened."},
    SolverOptionValue{
        "climb", "per body, parent links",
        "One walk per body, with links to the first child and to the parent only: the walk climbs to get past "
        "a subtree."},
    SolverOptionValue{"stack", "per body, stack", "One walk per body, with a stack of the nodes still to visit."},
    SolverOptionValue{"vote", "voting warps",
                      "The 32 lanes of a warp open a node together if one of them must. No lane is idle, and the error "
                      "is smaller than that of the warp walk at the same θ."},
};

constexpr std::array kOrders = {
    SolverOptionValue{"tree", "tree order",
                      "Neighbours in space traverse the tree one after the other and read the same nodes, which are "
                      "then in the cache."},
    SolverOptionValue{"morton", "Morton order", "Bodies are sorted along a Z-order curve with keys of full length."},
    SolverOptionValue{
        "morton-10", "Morton order, 10 bits",
        "Bodies are inserted, and traverse the tree, in the order of keys of 10 bits per axis: one sort "
        "with half or a third of the passes of full keys. Bodies in the same key cell stay in input order."},
    SolverOptionValue{"none", "input order", "Bodies are not sorted: the order of the scene or file."},
    SolverOptionValue{
        "shuffled", "shuffled",
        "Random order, the worst case: consecutive walks read different nodes, and most reads miss the cache."},
    SolverOptionValue{"regular", "grid rows",
                      "Along the rows of a regular grid: consecutive bodies are neighbours along one axis only."},
};

constexpr std::array kDepths = {
    SolverOptionValue{"full", "unlimited", "As deep as the Morton keys allow: 21 levels in 3D, 31 in 2D.", 0},
    SolverOptionValue{"16", "16", "Bodies in the same cell of level 16 share a leaf.", 16},
    SolverOptionValue{"12", "12", "Bodies in the same cell of level 12 share a leaf.", 12},
    SolverOptionValue{"10", "10", "Bodies in the same cell of level 10 share a leaf.", 10},
    SolverOptionValue{"9", "9", "Bodies in the same cell of level 9 share a leaf.", 9},
    SolverOptionValue{"8", "8", "Bodies in the same cell of level 8 share a leaf.", 8},
    SolverOptionValue{"7", "7", "Bodies in the same cell of level 7 share a leaf.", 7},
    SolverOptionValue{"6", "6", "Bodies in the same cell of level 6 share a leaf.", 6},
    SolverOptionValue{"5", "5", "At most 1,365 cells in 2D, which fit into the shared memory of large GPUs.", 5},
    SolverOptionValue{"4", "4", "At most 341 cells in 2D, which fit into the shared memory of every GPU.", 4},
    SolverOptionValue{"3", "3", "At most 85 cells in 2D, with many bodies per leaf.", 3},
    SolverOptionValue{"2", "2", "Almost the direct sum.", 2},
    SolverOptionValue{"1", "1", "The direct sum, except for the most distant bodies.", 1},
};

constexpr std::array kNodes = {
    SolverOptionValue{
        "compact", "compact",
        "Only the fields that a walk reads, aligned: 32 bytes in single precision, one memory transaction."},
    SolverOptionValue{"full", "full",
                      "Includes the bounds and moments of the builder: three times as many bytes to read."},
    SolverOptionValue{"unpacked", "unpacked",
                      "Includes the centre of the cell's box, which no walk reads, and is not aligned: 40 bytes in 2D, "
                      "44 in 3D (72 and 80 in double precision), in two memory transactions."},
};

constexpr std::array kUpperLevels = {
    SolverOptionValue{
        "shared", "shared memory",
        "The top cells (85 in 2D, 73 in 3D), which every walk reads first, are copied to the shared memory of "
        "each thread block."},
    SolverOptionValue{"global", "global memory", "The top cells are read like all other nodes, through the cache."},
};

constexpr std::array kBlocks = {
    SolverOptionValue{"64", "64 threads", "Many small blocks.", 64},
    SolverOptionValue{"128", "128 threads", "Four warps per block.", 128},
    SolverOptionValue{"256", "256 threads", "Eight warps per block.", 256},
    SolverOptionValue{"512", "512 threads",
                      "Few large blocks. A block occupies its multiprocessor until its slowest warp ends.", 512},
    SolverOptionValue{"1024", "1,024 threads", "The largest block: one copy of a shared tree serves 32 warps.", 1024},
    SolverOptionValue{"auto", "automatic",
                      "Computed from the number of bodies, and from the registers and the shared memory that the "
                      "kernel uses, so that the multiprocessors are as full as possible.",
                      0},
};

constexpr std::array kHostMemories = {
    SolverOptionValue{"pinned", "pinned", "Page-locked memory: the GPU copies by DMA at full speed."},
    SolverOptionValue{"pageable", "pageable",
                      "Ordinary memory: the driver makes an extra copy, and the CPU waits for it."},
};

constexpr std::array kStreams = {
    SolverOptionValue{"2", "two", "Copies in both directions and kernels overlap.", 2},
    SolverOptionValue{"1", "one", "Copies and kernels run one after the other.", 1},
};

constexpr std::array kBuffers = {
    SolverOptionValue{"kept", "persistent", "Allocated once."},
    SolverOptionValue{"per-step", "per step", "Allocated and freed in every step, which synchronises with the GPU."},
};

constexpr std::array kIntegrations = {
    SolverOptionValue{"gpu", "on the GPU", "Kick and drift run on the GPU, where the accelerations are."},
    SolverOptionValue{"cpu", "on the CPU",
                      "Kick and drift run on the CPU. Accelerations and positions are copied in every step."},
};

constexpr std::array kSharedTrees = {
    SolverOptionValue{"conflict-free", "structure of arrays",
                      "The whole tree is in shared memory, one array per field: neighbouring threads copy neighbouring "
                      "words, and bank conflicts are rare."},
    SolverOptionValue{
        "plain", "array of structures",
        "The whole tree is in shared memory with the layout of global memory: copies are not coalesced, and "
        "reads of different cells cause bank conflicts."},
    SolverOptionValue{"none", "global memory", "The tree stays in global memory."},
};

constexpr std::array kGpuThreads = {
    SolverOptionValue{"all", "one per body", "As many threads as bodies.", 0},
    SolverOptionValue{"1", "1", "A single CUDA thread.", 1},
    SolverOptionValue{"2", "2", "Two threads share the bodies.", 2},
    SolverOptionValue{"3", "3", "Three threads share the bodies.", 3},
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
    SolverOptionValue{"40000", "40,000", "40,000 threads share the bodies.", 40000},
};

constexpr std::array kExpansions = {
    SolverOptionValue{"3", "3", "The least work per pair of cells, and four times the error of order 4 at equal theta.",
                      3},
    SolverOptionValue{"4", "4", "As fast as order 5 for errors above 1e-3.", 4},
    SolverOptionValue{
        "5", "5",
        "Twice the work of order 4 per pair of cells and a third of its error: the fastest for small errors on "
        "the CPU, with a larger theta.",
        5},
};

constexpr std::array kOpenings = {
    SolverOptionValue{
        "angle", "by angle θ",
        "Two cells interact through expansions if their sizes are small compared with their distance. The "
        "error depends on θ and on the scene."},
    SolverOptionValue{
        "error", "by error",
        "Two cells interact through expansions if the estimated error is small compared with the acceleration. "
        "Sets the mean error directly, for every scene and expansion order."},
};

constexpr std::array kCellSizes = {
    SolverOptionValue{"box", "box of the bodies",
                      "The longest side of the box around the bodies of the cell. Fewer cells are opened than with the "
                      "side of the cell: faster, with a larger error at the same θ."},
    SolverOptionValue{"cell", "side of the cell",
                      "The side of the cell itself, as in most published tree codes. It halves from level to level."},
};

constexpr std::array kLinks = {
    SolverOptionValue{"walk", "walk links",
                      "After the build, a pass makes nodes in which everything that a walk reads is adjacent."},
    SolverOptionValue{"own", "builder links",
                      "Walks read the arrays of the builder: no additional pass and memory, but more reads per node."},
};

constexpr std::array kLeafForces = {
    SolverOptionValue{"bodies", "its bodies", "The bodies of the leaf act one by one."},
    SolverOptionValue{"point", "one point",
                      "The leaf acts as one body at its centre of mass: no walk reads single bodies, and close bodies "
                      "are resolved no better than the last level."},
};

constexpr std::array kPairTasks = {
    SolverOptionValue{"half", "each pair once", "N(N−1)/2 pairs. Each adds to both bodies with atomic operations."},
    SolverOptionValue{"ordered", "ordered pairs",
                      "N² ordered pairs. Pair p adds to body p mod N only, so that neighbouring threads add to "
                      "different bodies."},
};

constexpr std::array kParallels = {
    SolverOptionValue{"own", "own loops", "Loops of this program with oneTBB."},
    SolverOptionValue{
        "std", "standard algorithms",
        "std::for_each and std::sort of ISO C++ with std::execution::par_unseq, or par where a task waits, "
        "takes a lock or keeps anything per thread. Same forces."},
};

constexpr std::array kThreadsPerBody = {
    SolverOptionValue{"auto", "automatic",
                      "At least 8, and more with few bodies, so that their threads occupy the GPU.", 0},
    SolverOptionValue{"1", "1", "One thread per body.", 1},
    SolverOptionValue{"2", "2", "Two threads per body.", 2},
    SolverOptionValue{"4", "4", "Four threads per body.", 4},
    SolverOptionValue{"8", "8", "Eight threads per body.", 8},
    SolverOptionValue{"16", "16", "Sixteen threads per body.", 16},
    SolverOptionValue{"32", "32", "As many threads per body as a warp has.", 32},
};

constexpr std::array kTiles = {
    SolverOptionValue{"auto", "automatic",
                      "One source per thread of the block, but at least 32 for each thread that shares a body.", 0},
    SolverOptionValue{"64", "64 sources", "Little shared memory, and many waits for it.", 64},
    SolverOptionValue{"128", "128 sources", "2 KB of shared memory in single precision.", 128},
    SolverOptionValue{"256", "256 sources", "4 KB of shared memory in single precision.", 256},
    SolverOptionValue{"512", "512 sources", "8 KB of shared memory in single precision.", 512},
    SolverOptionValue{"1024", "1,024 sources",
                      "16 KB of shared memory in single precision, 32 KB in double precision; few waits for it.", 1024},
};

constexpr std::array kSortings = {
    SolverOptionValue{"radix", "radix sort",
                      "Digit by digit, on all threads: the time grows like the number of bodies."},
    SolverOptionValue{"qsort", "qsort", "The C library's sort by comparisons, on one thread. The result is the same."},
};

constexpr std::array<SolverOptionInfo, kSolverOptionCount> kOptions = {{
    {"walk", "Walk", "How the tree is traversed, and how many bodies share a walk.", kWalks},
    {"order", "Walk order",
     "Order in which bodies traverse the tree. Affects speed only, except with voting warps, which need neighbours.",
     kOrders},
    {"depth", "Depth", "Levels of cells below the root. Bodies in the same cell of the last level share a leaf.",
     kDepths},
    {"node", "Node layout", "Fields of a tree node on the GPU.", kNodes},
    {"upper-levels", "Upper levels", "Where walks read the top levels of the tree.", kUpperLevels},
    {"block", "Block size", "Threads per block on the GPU.", kBlocks},
    {"host-memory", "Host memory", "Type of host memory from which tree and bodies are copied to the GPU.",
     kHostMemories},
    {"streams", "Streams", "Number of CUDA streams.", kStreams},
    {"buffers", "Buffers", "Whether the buffers of tree and bodies persist between steps.", kBuffers},
    {"integration", "Kick and drift", "Where kick and drift run.", kIntegrations},
    {"shared-tree", "Shared tree",
     "Whether each thread block copies the whole tree to shared memory, and in which layout. Used only if the tree "
     "fits.",
     kSharedTrees},
    {"gpu-threads", "GPU threads",
     "Number of threads that share the bodies: of T threads, each handles every T-th body.", kGpuThreads},
    {"expansion", "Expansion order",
     "Highest power of cell size over distance in the expansions. A higher order costs more per pair of cells and "
     "allows a larger θ.",
     kExpansions},
    {"opening", "Opening", "Criterion that decides which pairs of cells are opened.", kOpenings},
    {"cell-size", "Cell size", "The size of a cell that θ is compared with.", kCellSizes},
    {"links", "Links", "The links between tree nodes that a walk follows.", kLinks},
    {"leaf", "Last level", "How a cell of the last level acts when it contains several bodies.", kLeafForces},
    {"pairs", "Pairs", "How the pairs of bodies are divided into tasks.", kPairTasks},
    {"threads-per-body", "Threads per body",
     "Number of threads of a block that share the sum over the sources of one body. The block adds their parts in "
     "shared memory.",
     kThreadsPerBody},
    {"tile", "Tile", "Number of sources that a block of threads keeps in shared memory at a time.", kTiles},
    {"sorting", "Sorting", "How the bodies are sorted by their keys before the tree is built.", kSortings},
    {"parallel", "Parallel loops", "What divides the loops over bodies and tree nodes among the CPU's threads.",
     kParallels},
}};

}  // namespace

const SolverOptionInfo& solver_option_info(SolverOption which) {
  return kOptions[static_cast<std::size_t>(which)];
}

}  // namespace pericenter
