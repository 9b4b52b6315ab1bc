/** Each `Conversations` of this program. */
export const madeConversations = new WeakSet<object>();
