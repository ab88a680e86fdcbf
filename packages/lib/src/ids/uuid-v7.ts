import { randomFillSync } from "node:crypto";
import { ID_ALPHABET } from "./id-alphabet.ts";

const CHARACTERS = Uint8Array.from(ID_ALPHABET, (character) => character.charCodeAt(0));
const TIME_CHARACTERS = 10;
const ENTROPY_BYTES = 4_096;
const COUNTER_BITS = 20;

/** Returns the code of the character for the last 5 bits. */
const character = (bits: number): number => CHARACTERS[bits & 0b11111] ?? 0;

/**
 * Creates a generator of UUIDv7 (RFC 9562) in base32: 26 characters, of which the first 10 are the time. Its ids sort in
 * the order of their creation, even within a millisecond and after the clock was set back. In each id, 40 bits are random
 * and 20 are a counter, which starts at a random value in each millisecond.
 *
 * Randomness is drawn in batches and stays in memory until it is used. Never use these ids as secrets, tokens or nonces.
 *
 * @returns a function that takes the time in ms since the epoch and returns a new UUID.
 */
export function createUuidV7(): (now: number) => string {
  const entropy = new Uint8Array(ENTROPY_BYTES);
  let used = ENTROPY_BYTES;
  let lastMs = -1;
  /** The time, 4 bits of the version, 12 random bits, 2 bits of the variant, 2 random bits. */
  let start = "";
  let counter = 0;

  function randomByte(): number {
    if (used === ENTROPY_BYTES) {
      randomFillSync(entropy);
      used = 0;
    }
    const byte = entropy[used] ?? 0;
    used += 1;
    return byte;
  }

  function startMs(ms: number): void {
    lastMs = ms;
    let time = "";
    for (let rest = ms; time.length < TIME_CHARACTERS; rest = Math.floor(rest / 32)) {
      time = String.fromCharCode(character(rest % 32)) + time;
    }
    const version = 0b01110 | (randomByte() & 1);
    const variant = 0b01000 | (randomByte() & 0b10011);
    const [second, third] = [character(randomByte()), character(randomByte())];
    start = time + String.fromCharCode(character(version), second, third, character(variant));
    // In its lower half, so that more than 500,000 ids of one millisecond follow.
    counter = ((randomByte() << 16) | (randomByte() << 8) | randomByte()) & (2 ** (COUNTER_BITS - 1) - 1);
  }

  return (now) => {
    if (now > lastMs) startMs(now);
    else if (counter === 2 ** COUNTER_BITS - 1) startMs(lastMs + 1);
    else counter += 1;
    return (
      start +
      String.fromCharCode(
        character(counter >> 15),
        character(counter >> 10),
        character(counter >> 5),
        character(counter),
        character(randomByte()),
        character(randomByte()),
        character(randomByte()),
        character(randomByte()),
        character(randomByte()),
        character(randomByte()),
        character(randomByte()),
        character(randomByte()),
      )
    );
  };
}
