/** Conversations are nobody else's business. */
export const privateFile = 0o600;
export const privateFolder = 0o700;
