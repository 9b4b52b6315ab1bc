import { discoverSessions } from '../sessions/discover';
import { processEnvironment } from '../sessions/files/environment';
import { agentNames } from '../sessions/session';
import { print, printJson, warn } from './opened';

export async function listSessions({ json, limit }: { json?: boolean; limit: number }): Promise<void> {
  const { sessions, issues } = await discoverSessions(processEnvironment(), { limit });
  for (const issue of issues) warn(`${issue.file}: ${issue.message}`);
  if (json) {
    printJson({
      sessions: sessions.map((session) => ({ ...session, modified: new Date(session.modified).toISOString() })),
    });
    return;
  }
  if (sessions.length === 0) print('No sessions were found in the folders of Claude Code and pi.');
  for (const { agent, modified, live, title, cwd, file } of sessions) {
    const when = new Date(modified).toISOString().slice(0, 16).replace('T', ' ');
    print(`${when}  ${agentNames[agent]}${live ? ' (live)' : ''}  ${title ?? '(no title)'}  ${cwd ?? ''}\n    ${file}`);
  }
}
