/** Powers of two by the exponent's bits; infinity and NaN (31) do not occur in the files that are read here. */
const powers = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (exponent === 0 ? -24 : exponent - 25));

/** A number of 16 bits, IEEE 754; `Float16Array` comes with Node 24 alone. */
export function decodeFloat16(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) + (exponent === 0 ? 0 : 1024);
  const size = fraction * (powers[exponent] as number);
  return bits & 0x8000 ? -size : size;
}
