/** Commands that rendered Markdown needs from the panel. */
export interface MarkdownCommands {
  copy(text: string): void;
  /** The host shows the target and asks before opening it. */
  openLink(url: string): void;
}
