import { openSession } from '../open';
import type { Session, SessionSummary } from '../session';
import { type SeenSize, sizeOfLast } from './own-compaction';

/** Maximum number of earlier sessions that are read for one, and their maximum total size in bytes. */
const maxSessions = 6;
const maxBytes = 24 * 1024 * 1024;

/** The sizes at which agents compact by themselves, from the sessions of this machine. A file is read again only if it has changed. */
export class EarlierSizes {
  readonly #known = new Map<string, Promise<ModelSize | null>>();

  /**
   * The size at which the agent last compacted by itself with the same model, in an earlier session; those of the same
   * folder count first. Null if none of the newest shows it. Never rejects because of a session.
   */
  async find(session: Session, listed: readonly SessionSummary[]): Promise<SeenSize | null> {
    const { agent, file, cwd, model } = session;
    const others = listed.filter((other) => other.agent === agent && other.file !== file && other.isFork !== true);
    const here = others.filter((other) => other.cwd === cwd);
    const inOtherFolders = others.filter((other) => other.cwd !== cwd);
    let bytes = 0;
    for (const other of [...here, ...inOtherFolders].slice(0, maxSessions)) {
      bytes += other.size;
      if (bytes > maxBytes) return null;
      const found = await this.#sizeIn(other);
      if (found !== null && found.model === model) return found;
    }
    return null;
  }

  #sizeIn({ file, modified }: SessionSummary): Promise<ModelSize | null> {
    const key = `${modified} ${file}`;
    const known = this.#known.get(key) ?? sizeIn(file);
    this.#known.set(key, known);
    return known;
  }
}

interface ModelSize extends SeenSize {
  readonly model: string | null;
}

async function sizeIn(file: string): Promise<ModelSize | null> {
  const outcome = await openSession(file);
  if (outcome.kind !== 'opened') return null;
  const { conversation, model } = outcome.session;
  const size = sizeOfLast(conversation.agentCompactions);
  return size && { model, ...size };
}
