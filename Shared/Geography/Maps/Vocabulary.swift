/// All words of a map for finding mistyped ones: a tree of letters in one array.
///
/// Nodes are stored in depth-first order, each with the end of its branch, so that a branch that can't match is
/// skipped in one step.
final class Vocabulary {
    /// Maximum number of words or beginnings that a mistyped word may mean.
    static let mostGuesses = 100

    private struct Node {
        let letter: UInt16
        let depth: UInt8
        var isWord = false
        /// The index after all nodes of this branch.
        var end: Int32 = 0
    }

    private struct Question: Hashable {
        let word: String
        let mistakes: Int
        let isHalf: Bool
    }

    /// Maximum number of answers in the cache.
    private static let mostKept = 256

    private var nodes: [Node] = []
    /// Earlier answers: the readings of a typed address share most of their words.
    private var known: [Question: [String]] = [:]

    init(_ words: some Sequence<String>) {
        let sorted = words.map { Array($0.utf16.prefix(Spelling.longest)) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        var (path, last): ([Int], [UInt16]) = ([], [])
        for word in sorted where !word.isEmpty {
            let common = zip(word, last).prefix { $0 == $1 }.count
            close(&path, to: common)
            for (depth, letter) in word.enumerated().dropFirst(common) {
                path.append(nodes.count)
                nodes.append(Node(letter: letter, depth: UInt8(depth + 1)))
            }
            if let leaf = path.last { nodes[leaf].isWord = true }
            last = word
        }
        close(&path, to: 0)
    }

    private func close(_ path: inout [Int], to depth: Int) {
        while path.count > depth { nodes[path.removeLast()].end = Int32(nodes.count) }
    }

    /// The words that `word` may mean with at most that many mistakes, fewest first; beginnings of words if it is
    /// incomplete.
    func guesses(for word: String, mistakes: Int, isHalf: Bool) -> [String] {
        let question = Question(word: word, mistakes: mistakes, isHalf: isHalf)
        if let answer = known[question] { return answer }
        if known.count >= Self.mostKept { known.removeAll(keepingCapacity: true) }
        let answer = find(word, mistakes: mistakes, isHalf: isHalf)
        known[question] = answer
        return answer
    }

    private func find(_ word: String, mistakes most: Int, isHalf: Bool) -> [String] {
        var spelling = Spelling(word)
        var path: [UInt16] = []
        /// The fewest mistakes of the beginnings on the current path, by length.
        var fewest = [most + 1]
        var found: [(text: String, mistakes: Int)] = []
        var index = 0
        while index < nodes.count {
            let node = nodes[index]
            let depth = Int(node.depth)
            path.removeLast(path.count - depth + 1)
            fewest.removeLast(fewest.count - depth)
            path.append(node.letter)
            let (all, least) = spelling.put(node.letter, at: depth)
            if all <= most, isHalf ? all < fewest[depth - 1] : node.isWord {
                found.append((String(decoding: path, as: UTF16.self), all))
            }
            fewest.append(min(fewest[depth - 1], all))
            index = least > most ? Int(node.end) : index + 1
        }
        return found.sorted { $0.mistakes < $1.mistakes }.prefix(Self.mostGuesses).map(\.text)
    }
}
