// Entry of the projection's thread: what is registered, folded and written beside the thread that answers people. Owns
// nothing; see engine/projection/thread-loop.ts.
import { runProjectionThread } from "../engine/projection/thread-loop.ts";
import { PROJECTORS } from "./projectors.ts";

runProjectionThread(PROJECTORS);
