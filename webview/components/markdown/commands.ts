/** What a text with structure asks of the panel. */
export interface MarkdownCommands {
  copy(text: string): void;
  /** The host shows where it leads and asks first. */
  openLink(url: string): void;
}
