// The positions of own orders' labels on the chart when several are at one price or close to it: side by side, and
// folded into a count where there is no space left. Pure: heights in, columns out.

export interface LabelSlot {
  /** Column from the left edge; a folded label has no column. */
  readonly column: number;
  /** Another label is at its height, so only what distinguishes them is shown. */
  readonly isCrowded: boolean;
  readonly isFolded: boolean;
  /** How many folded labels are counted here; 0 on all but the first of them. */
  readonly foldedCount: number;
  /** Its price is shown on the axis; false where another one is practically the same. */
  readonly isTagged: boolean;
  /** How many columns its group takes. */
  readonly columns: number;
  /** Index of the first label of its group; -1 outside a group. */
  readonly crowd: number;
}

export interface PaneSize {
  readonly width: number;
  readonly height: number;
}

export const ALONE: LabelSlot = {
  column: 0,
  isCrowded: false,
  isFolded: false,
  foldedCount: 0,
  isTagged: true,
  columns: 1,
  crowd: -1,
};

/** The middle of a label whose line is near the pane's edge: whole inside. One whose line is not on the pane goes with it. */
export function keepInside(y: number, paneHeight: number, labelPx: number): number {
  if (y < 0 || y > paneHeight) return y;
  return Math.max(labelPx / 2, Math.min(y, paneHeight - labelPx / 2));
}

/** Labels that touch each other, directly or through others. */
function findCrowds(heights: readonly number[], labelPx: number): readonly (readonly number[])[] {
  const sorted = heights.map((_, index) => index).sort((left, right) => heightAt(left) - heightAt(right));
  function heightAt(index: number): number {
    return heights[index] ?? 0;
  }
  const crowds: number[][] = [];
  for (const index of sorted) {
    const crowd = crowds.at(-1);
    const before = crowd?.at(-1);
    if (crowd !== undefined && before !== undefined && heightAt(index) - heightAt(before) < labelPx) crowd.push(index);
    else crowds.push([index]);
  }
  return crowds;
}

/** From the top down, those that do not cover the one kept before. */
function keepApart(sorted: readonly number[], heights: readonly number[], labelPx: number): readonly number[] {
  let last = Number.NEGATIVE_INFINITY;
  return sorted.filter((index) => {
    const height = heights[index] ?? 0;
    if (height - last < labelPx) return false;
    last = height;
    return true;
  });
}

/**
 * One slot per height. `turn` is the number of labels of each group that were paged past: those come last, so every
 * folded label can be brought to the front.
 */
export function placeLabels(
  heights: readonly number[],
  columnsMax: number,
  labelPx: number,
  turnOf: (crowd: number) => number = () => 0,
): readonly LabelSlot[] {
  const slots: LabelSlot[] = heights.map(() => ALONE);
  for (const crowd of findCrowds(heights, labelPx)) {
    if (crowd.length === 1) continue;
    const listed = [...crowd].sort((left, right) => left - right);
    const [first = 0] = listed;
    const turn = turnOf(first) % listed.length;
    const placed: { readonly index: number; readonly height: number; readonly column: number }[] = [];
    const folded: number[] = [];
    for (const index of [...listed.slice(turn), ...listed.slice(0, turn)]) {
      const height = heights[index] ?? 0;
      const taken = new Set(
        placed.filter((one) => Math.abs(one.height - height) < labelPx).map(({ column }) => column),
      );
      let column = 0;
      while (taken.has(column)) column += 1;
      if (column >= columnsMax) folded.push(index);
      else placed.push({ index, height, column });
    }
    const columns = 1 + Math.max(...placed.map(({ column }) => column));
    const tagged = new Set(keepApart(crowd, heights, labelPx));
    const crowdedOf = (index: number) => ({ isCrowded: true, isTagged: tagged.has(index), columns, crowd: first });
    for (const { index, column } of placed)
      slots[index] = { ...crowdedOf(index), column, isFolded: false, foldedCount: 0 };
    for (const [at, index] of folded.entries()) {
      const foldedCount = at === 0 ? folded.length : 0;
      slots[index] = { ...crowdedOf(index), column: columnsMax, isFolded: true, foldedCount };
    }
  }
  return slots;
}
