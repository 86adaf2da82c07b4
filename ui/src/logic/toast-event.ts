// The window's event with every toast: a page opens a place for toasts with the first, without having loaded them before.
export const TOAST_EVENT = "clockwork:toast";
