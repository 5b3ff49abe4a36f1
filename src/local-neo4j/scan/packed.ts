import { alphabetOf, HEAD_BITS, LATIN1_NUMBER, UTF8_NUMBER } from './alphabets.ts';

/** Bytes of the longest packed value: all that a property record holds. */
export const PACKED_BYTES = 32;

/** The type of packed texts in the head, and that of packed arrays. */
const PACKED_TEXT = 11;
const PACKED_ARRAY = 12;

/** Of packed arrays: the type of items that are bytes, and the bits in front of the first item. */
const ARRAY_OF_BYTES = 2;
const ARRAY_HEAD_BITS = 44;

/** Keys of properties are given out in order from 0 on; a store of ours has some hundred. */
const MAX_KEY = 4095;

/** Unpacks texts and arrays of bytes that a block of properties holds. */
export class Unpacker {
  /** What was unpacked last, as UTF-8. */
  readonly bytes = Buffer.alloc(128);
  /** Bytes of the blocks that the last value took, its head among them. */
  taken = 0;

  /**
   * Unpacks what may begin at a place, whose blocks have the lowest byte first and room for so many bytes; answers the length of
   * {@link bytes}, and 0 where nothing packed begins.
   */
  unpack(source: Uint8Array, at: number, room: number): number {
    const key = byte(source, at) | (byte(source, at + 1) << 8) | (byte(source, at + 2) << 16);
    if (key > MAX_KEY) return 0;
    const type = byte(source, at + 3) & 15;
    if (type === PACKED_TEXT) return this.text(source, at, room);
    return type === PACKED_ARRAY ? this.array(source, at, room) : 0;
  }

  private text(source: Uint8Array, at: number, room: number): number {
    const number = bitsAt(source, at, 28, 5);
    const length = bitsAt(source, at, 33, 6);
    const alphabet = alphabetOf(number);
    const isBytes = number === LATIN1_NUMBER || number === UTF8_NUMBER;
    if (alphabet === undefined && !isBytes) return 0;
    const step = alphabet?.bits ?? 8;
    this.taken = Math.ceil((HEAD_BITS + length * step) / 8);
    if (length === 0 || this.taken > room) return 0;
    let end = 0;
    for (let index = 0; index < length; index += 1) {
      const code = bitsAt(source, at, HEAD_BITS + index * step, step);
      if (number === UTF8_NUMBER) {
        this.bytes[end] = code;
        end += 1;
        continue;
      }
      const character = alphabet === undefined ? String.fromCharCode(code) : alphabet.characters[code];
      if (character === undefined) return 0;
      end += this.bytes.write(character, end, 'utf8');
    }
    return end;
  }

  private array(source: Uint8Array, at: number, room: number): number {
    const length = bitsAt(source, at, 32, 6);
    const step = bitsAt(source, at, 38, 6);
    if (bitsAt(source, at, 28, 4) !== ARRAY_OF_BYTES || step === 0 || step > 8) return 0;
    this.taken = Math.ceil((ARRAY_HEAD_BITS + length * step) / 8);
    if (this.taken > room) return 0;
    for (let index = 0; index < length; index += 1)
      this.bytes[index] = bitsAt(source, at, ARRAY_HEAD_BITS + index * step, step);
    return length;
  }
}

function byte(source: Uint8Array, at: number): number {
  return source[at] ?? 0;
}

/** At most eight bits of a stream that begins at a byte, the lowest bit first. */
function bitsAt(source: Uint8Array, at: number, bit: number, count: number): number {
  const first = at + (bit >>> 3);
  const pair = byte(source, first) | (byte(source, first + 1) << 8);
  return (pair >>> (bit & 7)) & ((1 << count) - 1);
}
