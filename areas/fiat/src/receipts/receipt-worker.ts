// A thread that writes one receipt in other scripts and ends: reading a font takes a while, and trading continues
// during it. Reads installed fonts and nothing else.
import { parentPort, workerData } from "node:worker_threads";
import { ReceiptPdf, type ReceiptWork } from "./receipt-pdf.ts";

const { title, lines } = workerData as ReceiptWork;
const bytes = new ReceiptPdf().write(title, lines);
parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
