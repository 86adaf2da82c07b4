// Owns the memory that copies of the state are put in. It is used again for the next copy: the system hands out fresh
// memory page by page, and trading would wait for every one of them.
// Must never be taken from while somebody still reads the copy before.

/** A table grows a little between two snapshots. */
const SLACK = 1.25;

export class SnapshotRooms {
  readonly #rooms: SharedArrayBuffer[] = [];
  #next = 0;

  /** The copy before has been written away. */
  begin(): void {
    this.#next = 0;
  }

  /** The next table's room, at least so large. Tables come in the same order every time. */
  readonly take = (bytes: number): SharedArrayBuffer => {
    const at = this.#next++;
    const kept = this.#rooms[at];
    if (kept !== undefined && kept.byteLength >= bytes) return kept;
    // Shared instead of handed over: one detached buffer slows down every access to all others for good.
    const room = new SharedArrayBuffer(kept === undefined ? bytes : Math.ceil((bytes * SLACK) / 8) * 8);
    this.#rooms[at] = room;
    return room;
  };
}
