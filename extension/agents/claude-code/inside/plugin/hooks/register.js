import { askWith, prepare, sayHello } from './ask-with.js';

/*
 * Thin on purpose: it hands a request to Strata and returns what the answer says. If anything fails, Claude Code continues with
 * its own compaction. Claude Code reads this source before it runs it: `$` is never passed on, so calls are written out.
 */

const asked = { status: 'status', preview: 'preview', pin: 'pin', why: 'why', undo: 'undo' };

/** Characters of tool output after which Strata checks whether to prepare the next compaction: about 10,000 tokens. */
const lookAfter = 40_000;

/** Characters of tool output since the last check. */
let unseen = 0;

/** The session that Strata was told about, whether or not it answered. */
let greeted = null;

const help = '/strata status | preview | pin TEXT | why | undo';

export const register = (on) => {
  on('session.start', async ($, e, next) => {
    try {
      await $.command.register({
        name: 'strata',
        description: 'What Strata does at the next compaction, and what it did at the last one',
        argumentHint: 'status | preview | pin TEXT | why | undo',
      });
    } catch {
      // Without the command, compaction works all the same.
    }
    return next(e);
  });

  on('turn.complete', async ($, e, next) => {
    const result = await next(e);
    try {
      const session = await $.session.id();
      const run = (words, options) => $.process.run(words, options);
      if (session !== greeted) await sayHello(run, session);
      greeted = session;
      unseen = 0;
      await prepare(run, session);
    } catch {
      // Strata then prepares nothing for this session; nothing else depends on it.
    }
    return result;
  });

  on('tool.call', async ($, e, next) => {
    const result = await next(e);
    try {
      unseen += JSON.stringify(result)?.length ?? 0;
      if (unseen < lookAfter) return result;
      unseen = 0;
      void prepare((words, options) => $.process.run(words, options), await $.session.id()).catch(() => undefined);
    } catch {
      // Nothing is prepared.
    }
    return result;
  });

  on('session.compact', async ($, e, next) => {
    // A subagent's context is not the session's, and a summary ahead of time is not wanted.
    if (e.agentId !== undefined) return next(e);
    if (e.trigger === 'precompute') return { skip: 'Strata compacts when the time comes.' };
    let line = '';
    try {
      const ask = askWith({
        folder: async () => (await $.env.get('XDG_DATA_HOME')) || `${await $.env.get('HOME')}/.local/share`,
        read: (path) => $.fs.read(path),
        post: (url, init) => $.http.fetch(url, init),
        run: (words, options) => $.process.run(words, options),
        sleep: (time) => $.clock.sleep(time),
      });
      const answer = await ask('compact', {
        session: await $.session.id(),
        trigger: e.trigger === 'manual' ? 'manual' : 'automatic',
        instructions: e.instructions || null,
        messages: e.messages,
      });
      line = answer.message;
      if (answer.kind === 'compacted') {
        await $.ui.log(line);
        return answer.result;
      }
    } catch (error) {
      line = `Strata: ${String(error?.message ?? error).split('\n')[0]}.`;
    }
    try {
      await $.ui.log(`${line} Claude Code compacts by itself.`);
    } catch {
      // No screen shows the notice.
    }
    return next(e);
  });

  on('command.run', { command: 'strata' }, async ($, e) => {
    const [, name = 'status', text = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(e.args ?? '') ?? [];
    const action = asked[name || 'status'];
    if (action === undefined) return { text: help };
    try {
      const ask = askWith({
        folder: async () => (await $.env.get('XDG_DATA_HOME')) || `${await $.env.get('HOME')}/.local/share`,
        read: (path) => $.fs.read(path),
        post: (url, init) => $.http.fetch(url, init),
        run: (words, options) => $.process.run(words, options),
        sleep: (time) => $.clock.sleep(time),
      });
      const answer = await ask(action, { session: await $.session.id(), text });
      if (answer.again) {
        await $.session.append({ message: { type: 'user', content: [{ type: 'text', text: answer.again }] } });
      }
      return { text: answer.message };
    } catch (error) {
      return { text: `Strata: ${String(error?.message ?? error).split('\n')[0]}.` };
    }
  });
};
