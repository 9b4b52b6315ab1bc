/** Bytes of a request, and UTF-16 units of an answer, that are read. Larger ones are forwarded unread: no model accepts them. */
export const maxBodyBytes = 64 * 1024 * 1024;
