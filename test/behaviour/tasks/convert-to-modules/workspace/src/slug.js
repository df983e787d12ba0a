const { words } = require('./words');

function slug(title) {
  return words(title).join('-').toLowerCase();
}

module.exports = { slug };
