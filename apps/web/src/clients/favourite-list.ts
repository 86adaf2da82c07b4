// A user's starred pairs between a page and their store. A star pressed before the list is loaded is added to that
// list, not put in its place; the last press wins, and a failed write is reverted.
import type { Store } from "#live/store.ts";

export const FAVOURITES_MAX = 200;

export interface FavouriteHome {
  /** What is kept there; undefined when it could not be read. */
  read(): Promise<readonly string[] | undefined>;
  /** Whether it was kept. */
  write(codes: readonly string[]): Promise<boolean>;
}

function withStar(codes: readonly string[], pairCode: string, isOn: boolean): readonly string[] {
  const others = codes.filter((code) => code !== pairCode);
  if (!isOn) return others;
  return others.length === codes.length ? [...codes, pairCode].slice(-FAVOURITES_MAX) : codes;
}

export class FavouriteList {
  readonly #home: FavouriteHome;
  readonly #shown: Store<readonly string[]>;
  /** The stored list as far as it is loaded. */
  #kept: readonly string[] | undefined;
  /** Pressed while the list was unknown: on or off. */
  readonly #early = new Map<string, boolean>();
  #reading: Promise<void> | undefined;
  #isWriting = false;
  #isOver = false;

  constructor(home: FavouriteHome, shown: Store<readonly string[]>, known?: readonly string[]) {
    this.#home = home;
    this.#shown = shown;
    this.#kept = known;
    shown.set(known ?? []);
    if (known === undefined) void this.#read();
  }

  toggle(pairCode: string): void {
    const codes = this.#shown.get();
    const isOn = !codes.includes(pairCode);
    if (this.#kept === undefined) this.#early.set(pairCode, isOn);
    this.#shown.set(withStar(codes, pairCode, isOn));
    void this.#write();
  }

  /** Another user's list is shown from now on. */
  end(): void {
    this.#isOver = true;
  }

  #read(): Promise<void> {
    this.#reading ??= this.#home.read().then((codes) => {
      this.#reading = undefined;
      if (codes === undefined || this.#isOver) return;
      this.#kept = codes;
      const shown = [...this.#early].reduce((all, [code, isOn]) => withStar(all, code, isOn), codes);
      this.#early.clear();
      this.#shown.set(shown);
    });
    return this.#reading;
  }

  /** One after the other: of two that overtook each other on the way the older might be kept. */
  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    if (this.#kept === undefined) await this.#read();
    while (!this.#isOver && this.#shown.get() !== this.#kept) {
      const wanted = this.#shown.get();
      // A list that is not loaded cannot be added to.
      const isKept = this.#kept !== undefined && (await this.#home.write(wanted));
      if (this.#isOver) break;
      if (isKept) this.#kept = wanted;
      else if (this.#shown.get() === wanted) {
        this.#early.clear();
        this.#shown.set(this.#kept ?? []);
        break;
      }
    }
    this.#isWriting = false;
  }
}
