// Which program a setting means.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

// A path is taken as it is, from `folder` if it is relative. A name is looked up in PATH. Windows
// would look into the current folder first, and that folder may be a stranger's; so we look there
// ourselves.
function serverCommand(text, folder, { platform = process.platform, env = process.env, isFile = exists } = {}) {
  const { isAbsolute, resolve, join, delimiter } = platform === 'win32' ? path.win32 : path.posix;
  if (isAbsolute(text)) return text;
  if (/[\\/]/.test(text)) return folder === undefined ? text : resolve(folder, text);
  if (platform !== 'win32') return text;
  const name = /\.exe$/i.test(text) ? text : `${text}.exe`;
  const variable = Object.keys(env).find((key) => key.toUpperCase() === 'PATH');
  const places = (env[variable] ?? '').split(delimiter).filter(isAbsolute).map((dir) => join(dir, name));
  const found = places.find(isFile);
  if (found) return found;
  throw Object.assign(new Error(`${name} is not in PATH`), { code: 'ENOENT' });
}

function exists(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

module.exports = { serverCommand };
