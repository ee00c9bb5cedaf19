# bash completion for leto
_leto() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            check|verify|infer|stats|stability|reliability|run|inject|refine|core|cache|fmt|explain|models) command=${COMP_WORDS[i]}; break ;;
        esac
    done
    case $previous in
        -m|--model) COMPREPLY=($(compgen -W "$(leto models 2>/dev/null | cut -d' ' -f1)" -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W "text json sarif" -- "$current")); return ;;
        --solver) COMPREPLY=($(compgen -W "z3 cvc5 both" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
        --model-path|--allow-import) COMPREPLY=($(compgen -d -- "$current")); return ;;
    esac
    case $command in
        "") COMPREPLY=($(compgen -W "check verify infer stats stability reliability run inject refine core cache fmt explain models --help --version" -- "$current")) ;;
        check)
            if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W "--model --model-path --allow-import --format --max-errors --time --own-memory --quiet --color --help" -- "$current"))
            else
                COMPREPLY=($(compgen -f -X '!*.leto' -- "$current") $(compgen -d -- "$current"))
            fi ;;
        verify)
            if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W "--model --all-models --model-path --allow-import --no-infer --show-inferred --trust-original --solver --jobs --time --own-memory --question-time --steps --resource --memory --seed --dump --suggest --apply --full --no-explain --cache --no-cache --profile --verbose --quiet --format --color --help" -- "$current"))
            else
                COMPREPLY=($(compgen -f -X '!*.leto' -- "$current") $(compgen -d -- "$current"))
            fi ;;
        infer|stats|stability|reliability)
            if [[ $current == -* ]]; then
                local own="--in-place"
                [[ $command == stats ]] && own="--no-infer --format"
                [[ $command == reliability ]] && own="--explain --solve --no-recovery-rule --format"
                [[ $command == stability ]] && own="--seeds --no-infer --verbose --format"
                COMPREPLY=($(compgen -W "$own --model --model-path --allow-import --solver --jobs --time --own-memory --question-time --steps --resource --memory --seed --cache --no-cache --color --help" -- "$current"))
            else
                COMPREPLY=($(compgen -f -X '!*.leto' -- "$current") $(compgen -d -- "$current"))
            fi ;;
        run)
            if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W "--model --model-path --allow-import --function --input --random-input --seed --faults --no-faults --exhaustive --max-runs --trace --save --steps --time --own-memory --max-size --max-number --format --color --help" -- "$current"))
            else
                COMPREPLY=($(compgen -f -X '!*.leto' -- "$current") $(compgen -d -- "$current"))
            fi ;;
        inject)
            if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W "--model --model-path --allow-import --function --input --seed --runs --jobs --script --plot --steps --time --own-memory --max-size --max-number --format --color --help" -- "$current"))
            else
                COMPREPLY=($(compgen -f -X '!*.leto' -- "$current") $(compgen -d -- "$current"))
            fi ;;
        refine) COMPREPLY=($(compgen -W "--super --model-path --allow-import --time --own-memory --verbose --no-cache --color --help $(leto models 2>/dev/null | cut -d' ' -f1)" -- "$current")) ;;
        core) COMPREPLY=($(compgen -f -X '!*.leto' -- "$current") $(compgen -W "--model --model-path --allow-import --time --own-memory --help" -- "$current")) ;;
        cache) COMPREPLY=($(compgen -W "stat clear verify --cache --time --own-memory --help" -- "$current")) ;;
        fmt)
            if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W "--check --time --own-memory --color --help" -- "$current"))
            else
                COMPREPLY=($(compgen -f -X '!*.leto' -- "$current") $(compgen -d -- "$current"))
            fi ;;
        explain) COMPREPLY=($(compgen -W "--list --markdown --color --help $(leto explain --list 2>/dev/null | cut -d' ' -f1)" -- "$current")) ;;
        models) COMPREPLY=($(compgen -W "--model-path --allow-import --time --own-memory --help" -- "$current")) ;;
    esac
}
complete -F _leto leto
