// The drawings of the icons every page shows at once, apart from the rest of the set.

export function ring(x: number, y: number, r: number): string {
  // Rounded, because 7 - 4.6 in floats would print sixteen digits into every page.
  const left = Number((x - r).toFixed(2));
  return `M${left} ${y}a${r} ${r} 0 1 0 ${r * 2} 0a${r} ${r} 0 1 0 ${-r * 2} 0`;
}

const SUN = Array.from({ length: 8 }, (_, index) => {
  const x = Math.round(Math.sin((index * Math.PI) / 4) * 1000) / 1000;
  const y = Math.round(Math.cos((index * Math.PI) / 4) * 1000) / 1000;
  const at = (r: number) => `${(8 + x * r).toFixed(2)} ${(8 + y * r).toFixed(2)}`;
  return `M${at(5.1)}L${at(6.5)}`;
}).join("");

export const FRAME_ICON_PATHS = {
  globe: `${ring(8, 8, 5.9)}M2.1 8h11.8M8 2.1c1.7 1.7 2.5 3.7 2.5 5.9S9.7 12.2 8 13.9C6.3 12.2 5.5 10.2 5.5 8S6.3 3.8 8 2.1`,
  menu: "M2.4 4.4h11.2M2.4 8h11.2M2.4 11.6h11.2",
  moon: "M13.3 9.6A5.7 5.7 0 0 1 6.4 2.7a5.7 5.7 0 1 0 6.9 6.9z",
  search: `${ring(7, 7, 4.6)}M10.4 10.4L14 14`,
  sun: `${ring(8, 8, 2.9)}${SUN}`,
} as const satisfies Readonly<Record<string, string>>;

export type FrameIconName = keyof typeof FRAME_ICON_PATHS;
