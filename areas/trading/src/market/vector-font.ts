// Letters and digits as strokes, for pictures drawn on a machine that may have no fonts. A letter is six units high;
// paths are SVG's.

const PATHS: Readonly<Record<string, readonly [width: number, path: string]>> = {
  A: [4, "M0 6L2 0L4 6M.8 4H3.2"],
  B: [4, "M0 3H2.4C3.3 3 3.8 2.4 3.8 1.5C3.8.6 3.3 0 2.4 0H0V6H2.5C3.5 6 4 5.4 4 4.5C4 3.6 3.5 3 2.5 3"],
  C: [4, "M3.8 1.2C3.3.4 2.7 0 2 0C.8 0 0 1.2 0 3C0 4.8.8 6 2 6C2.7 6 3.3 5.6 3.8 4.8"],
  D: [4, "M0 0V6H1.6C3.2 6 4 4.8 4 3C4 1.2 3.2 0 1.6 0Z"],
  E: [3.6, "M3.6 0H0V6H3.6M0 3H3"],
  F: [3.5, "M3.5 0H0V6M0 3H3"],
  G: [4, "M3.8 1.2C3.3.4 2.7 0 2 0C.8 0 0 1.2 0 3C0 4.8.8 6 2 6C3.2 6 4 5.2 4 3.4H2.4"],
  H: [4, "M0 0V6M4 0V6M0 3H4"],
  I: [0.2, "M.1 0V6"],
  J: [3.4, "M3.4 0V4.2C3.4 5.4 2.8 6 1.7 6C.7 6 .1 5.4 0 4.4"],
  K: [4, "M0 0V6M3.8 0L0 3.6M1.4 2.4L4 6"],
  L: [3.5, "M0 0V6H3.5"],
  M: [4.6, "M0 6V0L2.3 3.6L4.6 0V6"],
  N: [4, "M0 6V0L4 6V0"],
  O: [4, "M2 0C.8 0 0 1.2 0 3C0 4.8.8 6 2 6C3.2 6 4 4.8 4 3C4 1.2 3.2 0 2 0Z"],
  P: [4, "M0 6V0H2.3C3.4 0 4 .7 4 1.7C4 2.7 3.4 3.4 2.3 3.4H0"],
  Q: [4, "M2 0C.8 0 0 1.2 0 3C0 4.8.8 6 2 6C3.2 6 4 4.8 4 3C4 1.2 3.2 0 2 0ZM2.6 4.4L4 6.2"],
  R: [4, "M0 6V0H2.3C3.4 0 4 .7 4 1.7C4 2.7 3.4 3.4 2.3 3.4H0M2 3.4L4 6"],
  S: [
    4,
    "M3.7 1.1C3.3.4 2.7 0 2 0C.9 0 .2.6.2 1.5C.2 2.5 1 2.8 2 3C3 3.2 3.9 3.6 3.9 4.5C3.9 5.5 3.1 6 2 6C1.1 6 .4 5.6 0 4.8",
  ],
  T: [4, "M0 0H4M2 0V6"],
  U: [4, "M0 0V3.8C0 5.2.8 6 2 6C3.2 6 4 5.2 4 3.8V0"],
  V: [4, "M0 0L2 6L4 0"],
  W: [5, "M0 0L1.3 6L2.5 1.2L3.7 6L5 0"],
  X: [4, "M0 0L4 6M4 0L0 6"],
  Y: [4, "M0 0L2 3L4 0M2 3V6"],
  Z: [4, "M0 0H4L0 6H4"],
  "0": [4, "M2 0C.8 0 0 1.2 0 3C0 4.8.8 6 2 6C3.2 6 4 4.8 4 3C4 1.2 3.2 0 2 0Z"],
  "1": [2, "M0 1.3L1.6 0V6"],
  "2": [4, "M.2 1.4C.4.5 1.1 0 2 0C3.1 0 3.8.7 3.8 1.7C3.8 2.6 3.2 3.2 2.4 3.9L0 6H4"],
  "3": [
    4,
    "M.2.9C.6.3 1.2 0 2 0C3.1 0 3.7.6 3.7 1.5C3.7 2.4 3 2.9 1.8 2.9C3.2 2.9 4 3.5 4 4.4C4 5.4 3.2 6 2 6C1.1 6 .4 5.7 0 5",
  ],
  "4": [4, "M2.9 6V0L0 4.2H4"],
  "5": [4, "M3.6 0H.6L.3 2.8C.8 2.4 1.4 2.2 2 2.2C3.2 2.2 4 3 4 4.1C4 5.2 3.2 6 2 6C1.1 6 .4 5.7 0 5"],
  "6": [
    4,
    "M3.4.6C3 .2 2.6 0 2.1 0C.8 0 0 1.4 0 3.6C0 5.1.8 6 2 6C3.2 6 4 5.2 4 4.1C4 3 3.2 2.3 2.1 2.3C1.1 2.3.3 2.9 0 3.8",
  ],
  "7": [4, "M0 0H4L1.4 6"],
  "8": [
    4,
    "M2 2.8C1 2.8.3 2.3.3 1.4C.3.6.9 0 2 0C3.1 0 3.7.6 3.7 1.4C3.7 2.3 3 2.8 2 2.8C.8 2.8 0 3.5 0 4.4C0 5.4.8 6 2 6C3.2 6 4 5.4 4 4.4C4 3.5 3.2 2.8 2 2.8Z",
  ],
  "9": [
    4,
    "M.6 5.4C1 5.8 1.4 6 1.9 6C3.2 6 4 4.6 4 2.4C4 .9 3.2 0 2 0C.8 0 0 .8 0 1.9C0 3 .8 3.7 1.9 3.7C2.9 3.7 3.7 3.1 4 2.2",
  ],
  ".": [0.2, "M.1 5.9V6"],
  "%": [4.6, "M4.2 0L.4 6M1.1 0A1 1.1 0 1 0 1.1 2.2A1 1.1 0 1 0 1.1 0M3.5 3.8A1 1.1 0 1 0 3.5 6A1 1.1 0 1 0 3.5 3.8"],
  "+": [3, "M0 3H3M1.5 1.5V4.5"],
  "-": [3, "M0 3H3"],
  "/": [2.6, "M2.6 -.4L0 6.4"],
  " ": [1.6, ""],
};
const GAP = 1.4;

export interface Lettering {
  readonly x: number;
  /** The letters' upper edge. */
  readonly y: number;
  readonly height: number;
  readonly color: string;
  /** Of the stroke, in units of a sixth of the height. */
  readonly weight?: number;
}

/** SVG of a text; unsupported characters are left out. */
export function drawText(text: string, { x, y, height, color, weight = 0.8 }: Lettering): string {
  const scale = height / 6;
  let at = 0;
  const letters = [...text.toUpperCase()].flatMap((character) => {
    const known = PATHS[character];
    if (known === undefined) return [];
    const place = at;
    at += known[0] + GAP;
    return [`<path transform="translate(${place.toFixed(2)} 0)" d="${known[1]}"/>`];
  });
  const style = `fill="none" stroke="${color}" stroke-width="${weight}" stroke-linecap="round" stroke-linejoin="round"`;
  return `<g transform="translate(${x} ${y}) scale(${scale.toFixed(3)})" ${style}>${letters.join("")}</g>`;
}

/** How wide a text becomes. */
export function measureText(text: string, height: number): number {
  const units = [...text.toUpperCase()].reduce((sum, character) => {
    const known = PATHS[character];
    return known === undefined ? sum : sum + known[0] + GAP;
  }, -GAP);
  return (Math.max(0, units) * height) / 6;
}
