// Entry of the projection's thread: registers, folds and writes in parallel with the thread that serves requests. Owns
// nothing; see engine/projection/thread-loop.ts.
import { runProjectionThread } from "../engine/projection/thread-loop.ts";
import { PROJECTORS } from "./projectors.ts";

runProjectionThread(PROJECTORS);
