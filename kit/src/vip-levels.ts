// The benefits of several products from a VIP level on.

/** Tickets to support are read before others' from this level on. */
export const ANSWERED_FIRST_LEVEL = 3;
