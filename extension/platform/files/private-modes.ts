/** Conversations are private: only their owner may read them. */
export const privateFile = 0o600;
export const privateFolder = 0o700;
