// SPDX-License-Identifier: Apache-2.0
//
// Random registers and accesses into pmp_pair.sv until the two answers differ. Addresses are drawn
// near the edges of the regions, where answers change; registers take every value that their fields
// can hold. Usage: pmp_pair SETTINGS; status 1 where they differ.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "Vpmp_pair.h"

namespace
{

constexpr int channels = 3;
constexpr int regions = 8;
constexpr int accesses_per_setting = 16;
constexpr uint64_t address_mask = (uint64_t{1} << 34) - 1;
constexpr uint8_t user = 0, machine = 3;
constexpr uint32_t debug_module = 0x1A110000;
constexpr uint8_t mode_bits = 0x18;

std::mt19937_64 random_engine(1);

uint64_t below(uint64_t limit)
{
	return random_engine() % limit;
}

// A pmpaddr value in bytes: full range, small, or with a run of ones at its end (NAPOT).
uint64_t random_entry()
{
	uint64_t words = below(uint64_t{1} << 32);
	switch (below(4)) {
	case 0:
		break;
	case 1:
		words &= 0xFF;
		break;
	case 2:
		words |= (uint64_t{1} << below(33)) - 1;
		break;
	default:
		words = (words & 0xF000000F) | ((uint64_t{1} << below(9)) - 1);
		break;
	}
	return (words & 0xFFFFFFFF) << 2;
}

void set_registers(Vpmp_pair &pair)
{
	const uint64_t used = below(regions + 1);
	for (unsigned r = 0; r < regions; r++) {
		const uint8_t any = below(64);
		pair.cfg_i[r] = r < used ? any : any & ~mode_bits;
		pair.addr_i[r] = random_entry();
	}
	pair.mseccfg_i = below(3) == 0 ? below(8) : 0;
	pair.debug_mode_i = below(8) == 0;
}

// Anywhere, in the debug module, or a few bytes from an entry or from the edge of its NAPOT range.
uint64_t random_address(const Vpmp_pair &pair)
{
	switch (below(8)) {
	case 0:
		return below(address_mask + 1);
	case 1:
		return debug_module + below(0x1004) - 2;
	default:
		break;
	}
	const uint64_t entry = pair.addr_i[below(regions)];
	const uint64_t range = ((entry >> 2) ^ ((entry >> 2) + 1)) << 2;
	const uint64_t edges[] = {entry, entry & ~range, entry | range};
	return (edges[below(3)] + below(16) - 8) & address_mask;
}

} // namespace

int main(int argc, char **argv)
{
	const long settings = argc > 1 ? std::atol(argv[1]) : 0;
	Vpmp_pair pair;
	long denied = 0, granted = 0;
	for (long s = 0; s < settings; s++) {
		set_registers(pair);
		for (int a = 0; a < accesses_per_setting; a++) {
			for (int c = 0; c < channels; c++) {
				pair.req_addr_i[c] = random_address(pair);
				pair.req_type_i[c] = below(3);
				pair.priv_mode_i[c] = below(2) ? user : machine;
			}
			pair.eval();
			for (int c = 0; c < channels; c++) {
				if (pair.own_err_o[c] != pair.rtl_err_o[c]) {
					std::printf(
						"setting %ld, access %d, channel %d: Ibex says %d, Foliot %d\n",
						s, a, c, pair.rtl_err_o[c], pair.own_err_o[c]);
					return 1;
				}
				(pair.own_err_o[c] ? denied : granted)++;
			}
		}
	}
	std::printf("%ld denied, %ld granted\n", denied, granted);
	return 0;
}
