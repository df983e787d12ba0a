function words(text) {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

module.exports = { words };
