// Selects the installed font for a letter. Each comes in slices of the letters of one script or of a few hundred signs;
// a slice is read when one of its letters is first written. Nothing is fetched.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { create, type Font } from "fontkit";

export interface Face {
  readonly font: Font;
  /** Drawn around every outline, in thousandths of the size: some families only have the lightest weight. */
  readonly strokeUnits: number;
}

interface Slice {
  readonly path: string;
  readonly strokeUnits: number;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

const require = createRequire(import.meta.url);
/** The first that has a letter writes it. */
const FAMILIES = [
  { name: "inter", list: () => require.resolve("@fontsource-variable/inter/unicode.json"), strokeUnits: 0 },
  {
    name: "noto-sans-arabic",
    list: () => require.resolve("@fontsource-variable/noto-sans-arabic/unicode.json"),
    strokeUnits: 0,
  },
  {
    name: "noto-sans-sc",
    list: () => require.resolve("@fontsource-variable/noto-sans-sc/unicode.json"),
    strokeUnits: 48,
  },
  {
    name: "noto-sans-kr",
    list: () => require.resolve("@fontsource-variable/noto-sans-kr/unicode.json"),
    strokeUnits: 48,
  },
] as const;
/** The size of the cache; a receipt needs two or three. */
const FACES_MAX = 24;

/** `U+0000-00FF,U+0131` as numbers. */
function readRanges(text: string): Slice["ranges"] {
  return text.split(",").map((one) => {
    const [first = "", last = first] = one.replace("U+", "").split("-");
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
}

function listSlices(): readonly Slice[] {
  return FAMILIES.flatMap(({ name, list: find, strokeUnits }) => {
    const list = find();
    const slices = JSON.parse(readFileSync(list, "utf8")) as Readonly<Record<string, string>>;
    return Object.entries(slices).map(([slice, ranges]) => ({
      path: join(dirname(list), "files", `${name}-${slice.replace(/[[\]]/g, "")}-wght-normal.woff2`),
      strokeUnits,
      ranges: readRanges(ranges),
    }));
  });
}

export class Fonts {
  #slices: readonly Slice[] | undefined;
  readonly #faces = new Map<string, Face>();

  /** Undefined where none of the fonts has it. */
  faceOf(codePoint: number): Face | undefined {
    this.#slices ??= listSlices();
    for (const slice of this.#slices) {
      if (!slice.ranges.some(([first, last]) => codePoint >= first && codePoint <= last)) continue;
      const face = this.#read(slice);
      if (face.font.hasGlyphForCodePoint(codePoint)) return face;
    }
    return undefined;
  }

  #read({ path, strokeUnits }: Slice): Face {
    const known = this.#faces.get(path);
    if (known !== undefined) return known;
    const face = { font: create(readFileSync(path)), strokeUnits };
    // The oldest entry is evicted.
    const [oldest] = this.#faces.keys();
    if (oldest !== undefined && this.#faces.size >= FACES_MAX) this.#faces.delete(oldest);
    this.#faces.set(path, face);
    return face;
  }
}
