// The drawings on the chart: starting, keeping, undoing and removing them. Part of the chunk loaded with the chart.
import type { Chart, DeepPartial, OverlayCreate, OverlayMode, OverlayStyle } from "klinecharts";
import { checkDrawings, type Drawing, type DrawingLook, type ToolName } from "./chart-figures.ts";
import { type ChartColors, fade } from "./chart-theme.ts";

const GROUP = "drawings";
const HISTORY_MAX = 50;

export interface DrawingParts {
  readonly drawings: readonly Drawing[];
  readonly decimals: number;
  readonly readColors: () => ChartColors;
  readonly onChanged: (drawings: readonly Drawing[], canUndo: boolean, canRedo: boolean) => void;
  readonly onToolDone: () => void;
  /** The drawing that is selected, or none. */
  readonly onChosen: (look: DrawingLook | undefined) => void;
}

export class DrawingBoard {
  readonly #chart: Chart;
  readonly #parts: DrawingParts;
  #past: (readonly Drawing[])[] = [];
  #future: (readonly Drawing[])[] = [];
  #now: readonly Drawing[];
  #chosenId: string | undefined;
  #drawingId: string | undefined;
  readonly #looks = new Map<string, DrawingLook>();
  #wasPressedRight = false;
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
      this.#looks.clear();
      for (const { name, points, text, color, width, isLocked } of this.#now) {
        const look = {
          ...(color === undefined ? {} : { color }),
          ...(width === undefined ? {} : { width }),
          ...(isLocked === undefined ? {} : { isLocked }),
        };
        const id = this.#chart.createOverlay({
          ...this.#create(name, text),
          ...this.#lookParts(look),
          points: points.map((point) => ({ ...point })),
        });
        if (typeof id === "string") this.#looks.set(id, look);
      }
    });
    this.#choose(undefined);
  }

  #quietly(act: () => void): void {
    this.#isQuiet = true;
    act();
    this.#isQuiet = false;
  }

  #choose(id: string | undefined): void {
    this.#chosenId = id;
    this.#parts.onChosen(id === undefined ? undefined : (this.#looks.get(id) ?? {}));
  }

  #lookParts({ color, width, isLocked }: DrawingLook): { styles: DeepPartial<OverlayStyle>; lock: boolean } {
    const { series, accent } = this.#parts.readColors();
    const stroke = (color === undefined ? undefined : series[color]) ?? accent;
    const area = { color: fade(stroke, 12), borderColor: stroke };
    return {
      styles: { line: { color: stroke, size: width ?? 1.3 }, rect: area, polygon: area, circle: area },
      lock: this.#isLocked || isLocked === true,
    };
  }

  /** In the colours of another theme. */
  repaint(): void {
    for (const [id, look] of this.#looks) this.#chart.overrideOverlay({ id, ...this.#lookParts(look) });
  }

  /** Changes the look of the selected drawing. */
  restyle(change: DrawingLook | ((look: DrawingLook) => DrawingLook)): void {
    const id = this.#chosenId;
    if (id === undefined) return;
    const before = this.#looks.get(id) ?? {};
    const look = typeof change === "function" ? change(before) : { ...before, ...change };
    this.#looks.set(id, look);
    this.#chart.overrideOverlay({ id, ...this.#lookParts(look) });
    this.#choose(id);
    this.#keep();
  }

  /** Another of the same, a little to the right and below. */
  duplicateChosen(): void {
    const chosen = this.#chart.getOverlays({ groupId: GROUP }).find(({ id }) => id === this.#chosenId);
    if (chosen === undefined) return;
    const look = this.#looks.get(chosen.id) ?? {};
    const places = this.#chart.convertToPixel(chosen.points, { paneId: "candle_pane" });
    const moved = (Array.isArray(places) ? places : [places]).map(({ x = 0, y = 0 }) => ({ x: x + 16, y: y + 16 }));
    const points = this.#chart.convertFromPixel(moved, { paneId: "candle_pane" });
    const text = typeof chosen.extendData === "string" ? chosen.extendData : undefined;
    const id = this.#chart.createOverlay({
      ...this.#create(chosen.name, text),
      ...this.#lookParts(look),
      points: (Array.isArray(points) ? points : [points]).map(({ timestamp, value }) => ({
        ...(timestamp === undefined ? {} : { timestamp }),
        ...(value === undefined ? {} : { value }),
      })),
    });
    if (typeof id === "string") this.#looks.set(id, look);
    this.#keep();
  }

  /** Whether the press of the right button that is being handled was on a drawing, which opens its own menu. */
  takeRightPress(): boolean {
    const was = this.#wasPressedRight;
    this.#wasPressedRight = false;
    return was;
  }

  isDrawing(): boolean {
    return this.#drawingId !== undefined;
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
      onRemoved: ({ overlay }) => {
        this.#looks.delete(overlay.id);
        if (this.#chosenId === overlay.id) this.#choose(undefined);
        this.#keep();
      },
      onSelected: ({ overlay }) => this.#choose(overlay.id),
      onDeselected: ({ overlay }) => {
        if (this.#chosenId === overlay.id) this.#choose(undefined);
      },
      // The library would remove it.
      onRightClick: (event) => {
        event.preventDefault?.();
        this.#wasPressedRight = true;
        this.#choose(event.overlay.id);
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
      overlays.map(({ id, name, points, extendData }) => ({
        ...this.#looks.get(id),
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
