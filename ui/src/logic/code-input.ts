// What each key and paste does to a row of one-digit boxes. Pure: boxes in, boxes and focus out.

export interface CodeState {
  /** Digits only, left to right; a box may be empty in the middle. */
  readonly boxes: readonly string[];
  readonly focus: number;
}

export type CodeKey = "Backspace" | "Delete" | "ArrowLeft" | "ArrowRight" | "Home" | "End";

export function emptyCode(length: number): readonly string[] {
  return Array.from({ length }, () => "");
}

export function readCode(boxes: readonly string[]): string {
  return boxes.join("");
}

export function toBoxes(code: string, length: number): readonly string[] {
  const digits = keepDigits(code);
  return Array.from({ length }, (_, index) => digits[index] ?? "");
}

function keepDigits(text: string): string {
  return text.replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0)).replace(/\D/g, "");
}

function clampIndex(index: number, length: number): number {
  return Math.min(Math.max(0, index), length - 1);
}

/** Typing and pasting are the same: digits fill from the focused box on; a whole code always fills from the first. */
export function enterDigits(state: CodeState, text: string): CodeState {
  const digits = keepDigits(text);
  const length = state.boxes.length;
  if (digits === "") return state;
  const from = digits.length >= length ? 0 : state.focus;
  const boxes = state.boxes.map((box, index) => digits[index - from] ?? box);
  return { boxes, focus: clampIndex(from + digits.length, length) };
}

export function pressKey(state: CodeState, key: CodeKey): CodeState {
  const length = state.boxes.length;
  const put = (at: number) => state.boxes.map((box, index) => (index === at ? "" : box));
  switch (key) {
    case "ArrowLeft":
      return { ...state, focus: clampIndex(state.focus - 1, length) };
    case "ArrowRight":
      return { ...state, focus: clampIndex(state.focus + 1, length) };
    case "Home":
      return { ...state, focus: 0 };
    case "End":
      return { ...state, focus: length - 1 };
    case "Delete":
      return { boxes: put(state.focus), focus: state.focus };
    case "Backspace": {
      // A full box empties itself; an empty one empties its left neighbour and goes there.
      if (state.boxes[state.focus] !== "") return { boxes: put(state.focus), focus: state.focus };
      const before = clampIndex(state.focus - 1, length);
      return { boxes: put(before), focus: before };
    }
  }
}

export function isComplete(boxes: readonly string[]): boolean {
  return boxes.every((box) => box !== "");
}
