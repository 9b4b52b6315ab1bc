/** Tags in which agents inject reminders, into messages and into results of tools. Reminders are about the agent's program. */
const reminder = /[ \t]*<(system-reminder|environment_details)>([\s\S]*?)<\/\1>[ \t]*\n?/g;

/** How Claude Code passes on what a person typed while it was at work. */
const fromPerson = /^\s*The user sent (?:a new|the following) message/;

export function withoutReminders(text: string): string {
  if (!text.includes('</')) return text;
  return text.replace(reminder, (whole, _tag, content: string) => (fromPerson.test(content) ? whole : ''));
}
