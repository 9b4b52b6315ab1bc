import * as s from '../../../platform/json/schemas';

/** Tags that Codex adds around a picture, each on its own line. */
export const pictureTag = /^[ \t]*<\/?image\b[^>\n]*>[ \t\r]*$/gm;

const session = s.record({
  id: s.name,
  parent_thread_id: s.name,
  source: s.record({ subagent: s.record({ thread_spawn: s.record({ parent_thread_id: s.name }) }) }),
});

/** The thread that started this one; null if none did, or if the record names the thread itself. */
export function parentThread(payload: s.JsonRecord): string | null {
  const { id, parent_thread_id: named, source } = s.read(session, payload);
  const parent = named ?? source.subagent.thread_spawn.parent_thread_id;
  return parent === id ? null : parent;
}
