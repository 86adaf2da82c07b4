// The benefits of several products from a VIP level on.

/** From this level on tickets to support are answered first. */
export const ANSWERED_FIRST_LEVEL = 3;
