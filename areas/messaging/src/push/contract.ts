// What push tokens say on the wire. The only file of the slice a browser may import.
import { type Static, Type } from "typebox";

/** As the systems make them: letters, digits and a few signs. */
export const PushBody = Type.Object({
  token: Type.String({ minLength: 16, maxLength: 512, pattern: "^[A-Za-z0-9_.:=-]+$" }),
  system: Type.Enum(["ios", "android", "flutter"]),
});
export type PushBody = Static<typeof PushBody>;
