/** A note of about two kilobytes that differs from every other one, as each version of a document does. */
export function sampleText(seed: number | string): string {
  const line = `- ${seed}: run the tests before the build, and write down what you learn.\n`;
  return `# Note ${seed}\n\n${line.repeat(Math.ceil(2048 / line.length))}`.slice(0, 2047).concat("\n");
}
