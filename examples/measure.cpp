// How long does a call of mine take? The same from C++: a lambda and what it captures.
#include <breakeven_workload.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

template <typename Function> be_summary measure(Function function) {
    be_summary time;
    be_error error;
    if (be_measure([](void *payload) { (*static_cast<Function *>(payload))(); }, &function, nullptr,
                   &time, &error))
        std::fprintf(stderr, "%s\n", error.text);
    return time;
}

int main() {
    std::vector<double> shuffled(100000), sorted;
    std::mt19937 random(1);
    std::generate(shuffled.begin(), shuffled.end(), random);
    const be_summary time = measure([&] {
        sorted = shuffled;
        std::sort(sorted.begin(), sorted.end());
    });
    std::printf("std::sort of %zu: %.3g ms (%.3g - %.3g), %d samples\n", sorted.size(),
                1e3 * time.median_s, 1e3 * time.lo_s, 1e3 * time.hi_s, time.n);
    return std::is_sorted(sorted.begin(), sorted.end()) && time.n > 0 ? 0 : 1;
}
