// A static file server for the built site, on this machine only: node server.mjs [--port 8080] [--root build/web/site]
// It sends no CORS or isolation headers: what works here works from any static host.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const mime = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};

/** The file that a request path names, or undefined when it isn't a file below `root`. */
async function locate(root, path) {
  let name;
  try {
    name = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  if (name.includes('\0')) return undefined;
  const file = join(root, normalize(name));
  if (file !== root && !file.startsWith(root + sep)) return undefined;
  const info = await stat(file).catch(() => undefined);
  if (info?.isDirectory()) return name.endsWith('/') ? locate(root, `${path}index.html`) : undefined;
  return info?.isFile() ? { file, size: info.size } : undefined;
}

/**
 * Serves the folder `root` on 127.0.0.1.
 * @param {object} settings
 * @param {string} settings.root
 * @param {number} [settings.port] 0: any free one
 * @param {object | ((path: string) => object)} [settings.headers] sent with every answer
 * @param {Record<string, string>} [settings.types] other content types by extension, e.g. { '.wasm': 'application/octet-stream' }
 * @returns {Promise<{url: string, port: number, close: () => Promise<void>}>} url ends with '/'
 */
export function serve({ root, port = 0, headers = {}, types = {} }) {
  const folder = resolve(root);
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    const extra = typeof headers === 'function' ? headers(path) : headers;
    const found = await locate(folder, path);
    if (!['GET', 'HEAD'].includes(request.method)) {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    } else if (!found) {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', ...extra }).end('Not found\n');
    } else {
      const extension = extname(found.file);
      response.writeHead(200, {
        'Content-Type': types[extension] ?? mime[extension] ?? 'application/octet-stream',
        'Content-Length': found.size,
        'Cache-Control': 'no-cache', // stable names change with every build
        ...extra,
      });
      if (request.method === 'HEAD') response.end();
      else createReadStream(found.file).pipe(response);
    }
  });
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      const bound = server.address().port;
      const close = () =>
        new Promise((closed) => {
          server.close(closed);
          server.closeAllConnections(); // a browser keeps its connections open
        });
      done({ url: `http://127.0.0.1:${bound}/`, port: bound, close });
    });
  });
}

/** Serves at `port`, or at the next one that is free. */
async function serveNear(settings) {
  for (let port = settings.port; port < settings.port + 20; ++port) {
    try {
      return await serve({ ...settings, port });
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`No free port from ${settings.port} to ${settings.port + 19}; name another with --port.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8080' },
      root: { type: 'string', default: fileURLToPath(new URL('../build/web/site', import.meta.url)) },
    },
  });
  const { url } = await serveNear({ root: values.root, port: Number(values.port) });
  console.log(`Open ${url} (Ctrl+C ends it)`);
}
