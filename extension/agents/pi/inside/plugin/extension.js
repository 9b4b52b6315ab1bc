import { ask } from './ask.js';

/*
 * Thin on purpose: it hands requests to Strata and returns what the answers say. If anything fails, pi continues by itself.
 */

/** Tokens by which a session grows before old tool output is checked again. */
const lookAfterTokens = 10_000;

/** Milliseconds after which pi has redrawn its screen: earlier notices are gone after a compaction. */
const redrawn = 300;

const actions = ['status', 'preview', 'pin', 'why', 'undo'];

export default function strata(pi) {
  /** Tokens of the context when old tool output was last checked. */
  let looked = 0;
  /** The outcome of a compaction, until pi has redrawn its screen. */
  let done = '';

  const asked = (action, ctx, request = {}, signal = undefined) => {
    const { sessionManager } = ctx;
    const names = { session: sessionManager.getSessionId(), file: sessionManager.getSessionFile() ?? null };
    return ask(action, 'pi', { ...names, ...request }, signal);
  };

  pi.on('session_start', (_event, ctx) => {
    looked = 0;
    void asked('hello', ctx);
  });

  pi.on('session_before_compact', async (event, ctx) => {
    const request = {
      trigger: event.reason === 'manual' ? 'manual' : 'automatic',
      instructions: event.customInstructions ?? null,
    };
    const answer = await asked('compact', ctx, request, event.signal);
    const isOurs = answer.kind === 'compacted';
    tell(ctx, isOurs ? answer.message : `${answer.message} pi compacts by itself.`);
    done = isOurs ? answer.message : '';
    return isOurs ? { compaction: answer.result } : undefined;
  });

  pi.on('turn_end', async (event, ctx) => {
    try {
      const tokens = ctx.getContextUsage()?.tokens ?? 0;
      if (event.outcome !== 'completed' || tokens < looked + lookAfterTokens) return undefined;
      looked = tokens;
      const answer = await asked('clear', ctx);
      if (answer.kind !== 'cleared' || answer.results.length === 0) return undefined;
      const edits = answer.results.map(({ entry, text }) => ({
        type: 'context_edit',
        targetId: entry,
        replacement: { content: [{ type: 'text', text }] },
      }));
      return { entries: [...event.entries, ...edits] };
    } catch {
      return undefined;
    }
  });

  pi.on('session_compact', async (event, ctx) => {
    try {
      if (event.fromExtension) {
        if (done !== '' && ctx.hasUI) setTimeout(tell, redrawn, ctx, done);
        done = '';
        return;
      }
      const { again = '' } = await asked('reminder', ctx);
      if (again !== '')
        pi.sendMessage({ customType: 'strata', content: again, display: false }, { triggerTurn: false });
    } catch {
      // pi continues with its own summary only.
    }
  });

  pi.registerCommand('strata', {
    description: 'What Strata does at the next compaction, and what it did at the last one',
    getArgumentCompletions: (prefix) =>
      actions.filter((action) => action.startsWith(prefix)).map((value) => ({ value, label: value })),
    handler: async (args, ctx) => {
      const [, name = '', text = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(args) ?? [];
      const action = name === '' ? 'status' : name;
      if (!actions.includes(action)) return tell(ctx, '/strata status | preview | pin TEXT | why | undo');
      const answer = await asked(action, ctx, { text });
      tell(ctx, answer.message);
      if (answer.again) await goBack(pi, ctx, answer.again);
    },
  });
}

/** Goes back in the tree if no message followed the compaction; otherwise repeats what it removed. */
async function goBack(pi, ctx, again) {
  const branch = ctx.sessionManager.getBranch();
  const at = branch.findLastIndex(({ type, details }) => type === 'compaction' && details?.strata !== undefined);
  const compaction = branch[at];
  const wentOn = branch.slice(at + 1).some(({ type }) => type === 'message');
  if (compaction?.parentId && !wentOn) await ctx.navigateTree(compaction.parentId, { summarize: false });
  else pi.sendMessage({ customType: 'strata', content: again, display: false }, { triggerTurn: false });
}

function tell(ctx, message) {
  try {
    ctx.ui.notify(message, 'info');
  } catch {
    // No screen shows the notice.
  }
}
