/** For svelte-check, which reads the nearest file of this name. The builds take their options from vite.config.ts. */
export default {};
