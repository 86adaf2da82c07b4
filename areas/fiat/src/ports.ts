// What OTC needs from other areas; the server's composition provides it.

export interface FiatPorts {
  readonly rates: {
    /** How much of each currency one dollar is. */
    read(timeMs: number): Promise<{ readonly rates: object; readonly simulated: boolean }>;
  };
}
