// Receipts as files: at once where a reader's own fonts have every letter, else on a thread, one after the other. A
// receipt never fails because of a name: after a timeout or an error it is written without outlines.
import { Worker } from "node:worker_threads";
import { later } from "@clockwork/host/time/background";
import { isPlain, type ReceiptLine, ReceiptPdf, type ReceiptWork } from "./receipt-pdf.ts";

const TIMEOUT_MS = 30_000;
const MEMORY_MB = 512;

export class Receipts {
  readonly #plain = new ReceiptPdf({ isPlain: true });
  #last: Promise<unknown> = Promise.resolve();

  write(title: string, lines: readonly ReceiptLine[]): Promise<Uint8Array> {
    if (lines.every(([name, value]) => isPlain(name) && isPlain(value)))
      return Promise.resolve(this.#plain.write(title, lines));
    const written = this.#last.then(() => onThread({ title, lines }).catch(() => this.#plain.write(title, lines)));
    this.#last = written;
    return written;
  }
}

function onThread(work: ReceiptWork): Promise<Uint8Array> {
  const thread = new Worker(new URL("./receipt-worker.ts", import.meta.url), {
    name: "receipt",
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  return new Promise((done, fail) => {
    const late = later("receipts.late", () => void thread.terminate(), TIMEOUT_MS);
    thread.once("message", done).once("error", fail);
    thread.once("exit", (code) => {
      clearTimeout(late);
      fail(new Error(`a receipt's thread ended with ${code}`));
    });
  });
}
