// A guilloche rosette from a text: the same text always draws the same figure, on server and browser alike.

function hashText(text: string): number {
  let hash = 2_166_136_261;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return hash;
}

const STEPS = 72;

export function rosettePath(text: string): string {
  const hash = hashText(text);
  const petals = 5 + (hash % 9);
  const depth = 0.25 + ((hash >>> 8) % 50) / 100;
  const twist = ((hash >>> 16) % 628) / 100;
  let path = "";
  for (let ring = 0; ring < 3; ring++) {
    const radius = 15 - ring * 4;
    for (let step = 0; step <= STEPS; step++) {
      const angle = (step / STEPS) * Math.PI * 2;
      const r = radius * (1 - depth * 0.5 + depth * 0.5 * Math.cos(petals * angle + twist + ring));
      path += `${step === 0 ? "M" : "L"}${(r * Math.cos(angle)).toFixed(1)} ${(r * Math.sin(angle)).toFixed(1)}`;
    }
    path += "Z";
  }
  return path;
}
