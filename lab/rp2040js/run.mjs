// SPDX-License-Identifier: Apache-2.0
//
// An RP2040's UF2 image in rp2040js. What the chip's ROM does is done here, since no copy of it
// comes with the emulator: the image's blocks into the flash, the second stage's checksum, its copy in RAM
// called with 0 as the return address.
//
// The emulator knows instructions and devices, and no cycles of the chip (its bus, the flash's cache): what is said of
// time here is an order of events and never a figure. The last line is `@sim {...}`, as the RTL simulator's.
//
// usage: node run.mjs --uf2 FILE --limit-s S [--vcd FILE --pin NAME=GPIO...] [--broken crystal|pll]

import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

const { values: told } = parseArgs({
  options: {
    uf2: { type: "string" },
    "limit-s": { type: "string", default: "60" },
    vcd: { type: "string" },
    pin: { type: "string", multiple: true, default: [] },
    broken: { type: "string", default: "" },
    modules: { type: "string" },
  },
});
const { RP2040, GPIOPinState } = createRequire(`${resolve(told.modules)}/`)("rp2040js");

const FLASH = 0x10000000;
const BOOT2_IN_RAM = 0x20041f00;
const BOOT2_SIZE = 256;
const FAMILY = 0xe48bff56;
const STATUS = { pass: 0, fail: 1, refused: 2, limit: 3, lockup: 4 };

let line = "";

function end(why, pc) {
  if (line) writeSync(1, line + "\n");
  if (told.vcd) writeFileSync(told.vcd, vcd());
  writeSync(1, `@sim {"pc":"0x${(pc >>> 0).toString(16)}"}\n`);
  process.exit(STATUS[why]);
}

function refuse(what) {
  writeSync(1, `sim: ${what}\n`);
  process.exit(STATUS.refused);
}

function load(flash, file) {
  const image = readFileSync(file);
  for (let at = 0; at < image.length; at += 512) {
    const family = image.readUInt32LE(at + 28);
    const offset = image.readUInt32LE(at + 12) - FLASH;
    if (family !== FAMILY) refuse(`the image is for another chip (family ${family.toString(16)})`);
    if (offset < 0 || offset >= flash.length) refuse("a block of the image is not in the flash");
    flash.set(image.subarray(at + 32, at + 32 + image.readUInt32LE(at + 16)), offset);
  }
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc = (crc ^ (byte << 24)) >>> 0;
    for (let bit = 0; bit < 8; bit++) {
      crc = ((crc << 1) ^ (crc & 0x80000000 ? 0x04c11db7 : 0)) >>> 0;
    }
  }
  return crc;
}

function boot(mcu) {
  const stage = mcu.flash.subarray(0, BOOT2_SIZE);
  const sum = new DataView(stage.buffer, stage.byteOffset).getUint32(BOOT2_SIZE - 4, true);
  if (crc32(stage.subarray(0, BOOT2_SIZE - 4)) !== sum) {
    refuse("the second stage's checksum is wrong: the chip's ROM would not start it");
  }
  mcu.sram.set(stage, BOOT2_IN_RAM - 0x20000000);
  mcu.core.LR = 0;
  mcu.core.PC = BOOT2_IN_RAM;
}

// What can go wrong on a desk: neither the oscillator's STABLE nor the PLL's LOCK is ever read as set.
function breakPart(mcu, part) {
  const bases = { crystal: 0x40024, pll: 0x40028 };
  if (!part) return;
  if (!(part in bases)) refuse(`--broken takes crystal or pll, not ${part}`);
  const device = mcu.peripherals[bases[part]];
  const read = device.readUint32.bind(device);
  device.readUint32 = (offset) => read(offset) & 0x7fffffff;
}

const mcu = new RP2040();
mcu.logger = { debug() {}, info() {}, warn() {}, error() {} };
load(mcu.flash, told.uf2);
breakPart(mcu, told.broken);
boot(mcu);
mcu.onBreak = () => end("lockup", mcu.core.PC);
mcu.uart[0].onByte = (byte) => {
  if (byte !== 10) {
    line += String.fromCharCode(byte);
    return;
  }
  writeSync(1, Buffer.from(line + "\n", "latin1"));
  line = "";
};

// Signals are told in counts of SysTick, which the firmware measures by, from where it started that.
let counts = null;
const systick = mcu.ppb.writeUint32.bind(mcu.ppb);
mcu.ppb.writeUint32 = (offset, value) => {
  if (offset === 0x10 && value & 1) counts = mcu.clock.nanos;
  systick(offset, value);
};
const count = () => Math.round(((mcu.clock.nanos - (counts ?? 0)) * mcu.clkSys) / 1e9);

const changes = [];
const pins = told.pin.map((pin) => pin.split("="));
pins.forEach(([, gpio], index) => {
  mcu.gpio[Number(gpio)].addListener((state) => {
    if (counts !== null) changes.push([count(), index, state === GPIOPinState.High ? 1 : 0]);
  });
});

function vcd() {
  const code = (index) => String.fromCharCode(33 + index);
  const head = pins.map(([name], index) => `$var wire 1 ${code(index)} ${name} $end`);
  const body = [];
  let last = -1;
  for (const [time, index, level] of changes) {
    if (time !== last) body.push(`#${time}`);
    last = time;
    body.push(`${level}${code(index)}`);
  }
  return [
    "$comment rp2040js, an emulator: an order of events, and no times of a chip $end",
    "$timescale 1 ns $end", "$scope module rp2040js $end", ...head, "$upscope $end",
    "$enddefinitions $end", "#0", ...pins.map((_, index) => `0${code(index)}`), ...body,
    `#${count() + 1}`, "",
  ].join("\n");
}

const limit = Number(told["limit-s"]) * 1e9;
for (;;) {
  if (!mcu.core.waiting) {
    mcu.clock.tick((mcu.core.executeInstruction() * 1e9) / mcu.clkSys);
  } else if (mcu.core.PM) {
    // Asleep with interrupts masked: drivers/board_exit/halt.c, the status in r0.
    end(mcu.core.registers[0] === 0 ? "pass" : "fail", mcu.core.PC);
  } else {
    mcu.clock.tick(mcu.clock.nanosToNextAlarm);
  }
  if (mcu.clock.nanos > limit) end("limit", mcu.core.PC);
}
