// The reference's own numbers of orders: they grow with time, though their slots are used again. Written plainly, one slot
// after the other, from the rule alone.

const SLOTS = 0x1000000;
const BATCH = 256;
const ROUND_MIN = 1_024;
const LOOK_MAX = 4_096;

export class Ids {
  /** By slot; the first is nobody's. */
  readonly #isTaken = [true];
  #waiting: number[] = [];
  #round = 0;
  #next = 1;
  #given = 1;

  take(): number {
    if (this.#waiting.length === 0) this.#gather();
    const id = this.#waiting.shift() ?? 0;
    this.#isTaken[id % SLOTS] = true;
    return id;
  }

  give(id: number): void {
    this.#isTaken[id % SLOTS] = false;
  }

  /** From the lowest slot to the highest, then from the lowest again when a round gave out an eighth of them. */
  #gather(): void {
    const isWorth = this.#isTaken.length > ROUND_MIN && this.#given * 8 >= this.#isTaken.length;
    if (this.#next === this.#isTaken.length && isWorth) {
      this.#round += 1;
      this.#next = 1;
      this.#given = 0;
    }
    for (let looked = 0; looked < LOOK_MAX && this.#next < this.#isTaken.length; looked++) {
      if (this.#waiting.length === BATCH) break;
      if (this.#isTaken[this.#next] === false) this.#wait(this.#next);
      this.#next += 1;
    }
    if (this.#waiting.length > 0) return;
    const isEnd = this.#next === this.#isTaken.length;
    for (let added = 0; added < BATCH; added++) {
      this.#isTaken.push(false);
      this.#wait(this.#isTaken.length - 1);
    }
    if (isEnd) this.#next = this.#isTaken.length;
    else this.#round += 1;
  }

  #wait(slot: number): void {
    this.#waiting.push(slot + this.#round * SLOTS);
    this.#given += 1;
  }
}
