/** Strata's own conversations: chats, Strata models, gateway. */
export interface OwnConversationsView {
  readonly count: number;
  /** In the person's language, with a unit. */
  readonly size: string;
  readonly folder: string;
}
