// The drawings on the chart: starting, keeping, undoing and removing them. Part of the chunk loaded with the chart.
import type { Chart, OverlayCreate, OverlayMode } from "klinecharts";
import { checkDrawings, type Drawing, type ToolName } from "./chart-figures.ts";
import type { ChartColors } from "./chart-theme.ts";

const GROUP = "drawings";
const HISTORY_MAX = 50;

export interface DrawingParts {
  readonly drawings: readonly Drawing[];
  readonly decimals: number;
  readonly readColors: () => ChartColors;
  readonly onChanged: (drawings: readonly Drawing[], canUndo: boolean, canRedo: boolean) => void;
  readonly onToolDone: () => void;
}

export class DrawingBoard {
  readonly #chart: Chart;
  readonly #parts: DrawingParts;
  #past: (readonly Drawing[])[] = [];
  #future: (readonly Drawing[])[] = [];
  #now: readonly Drawing[];
  #chosenId: string | undefined;
  #drawingId: string | undefined;
  #mode: OverlayMode = "normal";
  #isLocked = false;
  #isHidden = false;
  /** While drawings are put there by us, their events are not the user's. */
  #isQuiet = false;

  constructor(chart: Chart, parts: DrawingParts) {
    this.#chart = chart;
    this.#parts = parts;
    this.#now = parts.drawings;
  }

  close(): void {
    this.#isQuiet = true;
  }

  restore(): void {
    this.#quietly(() => {
      this.#chart.removeOverlay({ groupId: GROUP });
      for (const { name, points, text } of this.#now) {
        this.#chart.createOverlay({
          ...this.#create(name, text),
          points: points.map((point) => ({ ...point })),
        });
      }
    });
    this.#chosenId = undefined;
  }

  #quietly(act: () => void): void {
    this.#isQuiet = true;
    act();
    this.#isQuiet = false;
  }

  #create(name: string, text: string | undefined): OverlayCreate {
    const colors = this.#parts.readColors();
    const extendData = name === "measure" ? { colors, decimals: this.#parts.decimals } : (text ?? "");
    return {
      name,
      groupId: GROUP,
      mode: this.#mode,
      lock: this.#isLocked,
      visible: !this.#isHidden,
      extendData,
      onDrawEnd: () => this.#finish(),
      onPressedMoveEnd: () => this.#keep(),
      onRemoved: () => this.#keep(),
      onSelected: ({ overlay }) => {
        this.#chosenId = overlay.id;
      },
      onDeselected: ({ overlay }) => {
        if (this.#chosenId === overlay.id) this.#chosenId = undefined;
      },
    };
  }

  start(name: ToolName, text?: string): void {
    this.cancel();
    const id = this.#chart.createOverlay(this.#create(name, text));
    this.#drawingId = typeof id === "string" ? id : undefined;
  }

  /** Gives up what is being drawn. Answers whether there was anything. */
  cancel(): boolean {
    const id = this.#drawingId;
    if (id === undefined) return false;
    this.#drawingId = undefined;
    this.#quietly(() => this.#chart.removeOverlay({ id }));
    this.#parts.onToolDone();
    return true;
  }

  #finish(): void {
    this.#drawingId = undefined;
    // The library still holds the overlay as unfinished while it calls this.
    queueMicrotask(() => {
      this.#keep();
      this.#parts.onToolDone();
    });
  }

  #read(): readonly Drawing[] {
    const overlays = this.#chart.getOverlays({ groupId: GROUP }).filter(({ id }) => id !== this.#drawingId);
    return checkDrawings(
      overlays.map(({ name, points, extendData }) => ({
        name,
        points: points.map(({ timestamp, value }) => ({ timestamp, value })),
        ...(typeof extendData === "string" && extendData !== "" ? { text: extendData } : {}),
      })),
    );
  }

  #keep(): void {
    if (this.#isQuiet) return;
    this.#past = [...this.#past, this.#now].slice(-HISTORY_MAX);
    this.#future = [];
    this.#now = this.#read();
    this.#publish();
  }

  #publish(): void {
    this.#parts.onChanged(this.#now, this.#past.length > 0, this.#future.length > 0);
  }

  undo(): void {
    const before = this.#past.pop();
    if (before === undefined) return;
    this.#future.push(this.#now);
    this.#now = before;
    this.restore();
    this.#publish();
  }

  redo(): void {
    const after = this.#future.pop();
    if (after === undefined) return;
    this.#past.push(this.#now);
    this.#now = after;
    this.restore();
    this.#publish();
  }

  removeChosen(): boolean {
    if (this.#chosenId === undefined) return false;
    return this.#chart.removeOverlay({ id: this.#chosenId });
  }

  removeAll(): void {
    this.#quietly(() => this.#chart.removeOverlay({ groupId: GROUP }));
    this.#keep();
  }

  setMagnet(isOn: boolean): void {
    this.#mode = isOn ? "strong_magnet" : "normal";
    this.#override({ mode: this.#mode });
  }

  setLocked(isLocked: boolean): void {
    this.#isLocked = isLocked;
    this.#override({ lock: isLocked });
  }

  setHidden(isHidden: boolean): void {
    this.#isHidden = isHidden;
    this.#override({ visible: !isHidden });
  }

  #override(part: Partial<OverlayCreate>): void {
    this.#chart.overrideOverlay({ groupId: GROUP, ...part });
  }
}
